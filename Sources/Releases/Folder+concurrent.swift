import POSIX

extension Folder {
    /// Removes a folder and everything below it, on as many cores as ``ConcurrencyLimit`` allows.
    ///
    /// - Parameter file: see ``remove(_:usually:)``.
    static func removeConcurrently(
        _ path: String,
        usually file: String
    ) async throws(SystemError) {
        // The upper folders one after the other, until there are enough for all cores.
        var upper: [String] = []
        var folders = [path]
        while !folders.isEmpty, folders.count < 4 * ConcurrencyLimit.count {
            upper += folders
            var lower: [String] = []
            for folder in folders {
                lower += try Folder.removeFiles(in: folder).map { "\(folder)/\($0)" }
            }
            folders = lower
        }
        let errors = await folders.concurrentMap { folder -> SystemError? in
            do throws(SystemError) {
                try Folder.remove(folder, usually: file)
                return nil
            } catch { return error }
        }
        for case let error? in errors { throw error }
        for folder in upper.reversed() { try Folder.remove(folder) }
    }
}
