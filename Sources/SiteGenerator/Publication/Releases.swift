import POSIX

/// The releases that lie in an output folder, and the way back to one of them.
public struct Releases: Sendable {
    public struct Release: Sendable, Equatable {
        public let number: Int
        /// Seconds since 1970.
        public let time: Int
        public let pages: Int
        public let isCurrent: Bool
    }

    private let output: String

    /// - Parameter output: the folder with `current` and `releases` in it.
    public init(in output: String) { self.output = output }

    /// Oldest first.
    public func list() throws(CommandRefusal) -> [Release] {
        do {
            let current = currentNumber
            var releases: [Release] = []
            for entry in try Folder.entries(of: "\(output)/releases") {
                guard let number = Int(entry.name), number > 0, entry.kind == .folder else {
                    continue
                }
                let folder = "\(output)/releases/\(number)"
                releases.append(
                    Release(
                        number: number,
                        time: try FileStatus(of: folder).modifiedSeconds,
                        pages: try Self.pages(in: "\(folder)/site"),
                        isCurrent: number == current
                    )
                )
            }
            return releases.sorted { $0.number < $1.number }
        } catch {
            if error.isMissingFile {
                throw CommandRefusal("there is no release in '\(output)'")
            }
            throw CommandRefusal("\(error)", isDisk: true)
        }
    }

    /// Makes another release the current one, policy and pages in one step.
    ///
    /// The lock is that of builds: one that runs would flip `current` again.
    ///
    /// - Parameter number: `nil` for the one before the current one.
    /// - Returns: the numbers of the release before and of the current one.
    public func rollBack(to number: Int?) throws(CommandRefusal) -> (from: Int?, to: Int) {
        // Before the lock, which would be made where no release is.
        _ = try list()
        do {
            guard let lock = try FileLock.take("\(output)/.lock") else {
                throw CommandRefusal("a build writes to '\(output)'", isDisk: true)
            }
            let flip = try flip(to: number)
            _ = consume lock
            return flip
        } catch let refusal as CommandRefusal {
            throw refusal
        } catch {
            throw CommandRefusal("\(error)", isDisk: true)
        }
    }

    private func flip(to number: Int?) throws -> (from: Int?, to: Int) {
        let releases = try list()
        let current = releases.first(where: \.isCurrent)?.number
        let before = releases.last { $0.number < current ?? 0 }?.number
        let known = releases.map { "\($0.number)" }.joined(separator: ", ")
        guard let wanted = number ?? before else {
            let message = "there is no release before the current one; there are \(known)"
            throw CommandRefusal(message)
        }
        guard releases.contains(where: { $0.number == wanted }) else {
            let message = "there is no release \(wanted); there are \(known)"
            throw CommandRefusal(message)
        }
        try SymbolicLink.replace("\(output)/current", with: "releases/\(wanted)")
        return (current, wanted)
    }

    /// The output folder that a `sitegen.toml` names.
    public static func output(configurationPath: String) throws(CommandRefusal) -> String {
        let (configuration, folder) = try SiteConfiguration.read(configurationPath)
        return folder + configuration.output
    }

    private var currentNumber: Int? {
        SymbolicLink.destination(of: "\(output)/current")
            .flatMap { $0.split(separator: "/").last }.flatMap { Int($0) }
    }

    private static func pages(in folder: String) throws(SystemError) -> Int {
        var count = 0
        for entry in try Folder.entries(of: folder) {
            if entry.kind == .folder {
                count += try pages(in: "\(folder)/\(entry.name)")
            } else if entry.name == "index.html" {
                count += 1
            }
        }
        return count
    }
}
