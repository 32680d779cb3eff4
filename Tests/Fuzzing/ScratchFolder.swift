import POSIX

/// A folder in memory for what a target reads from disk; the Makefile's script removes it.
final class ScratchFolder: Sendable {
    let path: String

    init() {
        let parent = Host.environment["FUZZ_FOLDER"] ?? "/tmp"
        path = require(try? Folder.createPrivate("\(parent)/fuzz-"), "scratch folder")
    }

    func write(_ bytes: [UInt8], _ name: String) {
        do { try File.write(bytes, to: "\(path)/\(name)", mode: 0o600) } catch {
            fatalError("'\(name)' cannot be written: \(error)")
        }
    }
}
