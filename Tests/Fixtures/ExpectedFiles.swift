import Foundation

/// The texts that must come out of a test, as files.
public enum ExpectedFiles {
    /// Compares texts with the files of a folder.
    ///
    /// With `SITEGEN_UPDATE_GOLDEN=1` they are written there, which is a difference, too: nobody
    /// shall commit them unread.
    ///
    /// - Parameters:
    ///   - actual: by path; those that are not expected at all stand in the folder `expected`.
    ///   - others: further files that are expected.
    /// - Returns: what differs.
    public static func differences(
        _ actual: [String: String],
        in folder: URL,
        others: [String] = []
    ) throws -> [String] {
        let files = FileManager.default
        if ProcessInfo.processInfo.environment["SITEGEN_UPDATE_GOLDEN"] != nil {
            try? files.removeItem(at: folder.appending(path: "expected"))
            for (path, text) in actual {
                let file = folder.appending(path: path)
                try files.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try text.write(to: file, atomically: false, encoding: .utf8)
            }
            return ["'\(folder.path)' was written anew; read it before you commit it"]
        }
        var expected: [String: String] = [:]
        for path in try files.subpathsOfDirectory(atPath: folder.path)
        where path.hasPrefix("expected/") || others.contains(path) {
            expected[path] = try? String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        return Set(actual.keys).union(expected.keys).sorted().filter { path in
            actual[path] != expected[path]
        }.map { path in
            "\(path) is:\n\(actual[path] ?? "not there")\nand not:\n\(expected[path] ?? "not there")"
        }
    }
}
