import Glibc
import POSIX
import Synchronization

/// A folder in memory for what a target reads from disk, until the process ends.
final class ScratchFolder: Sendable {
    let path: String
    private static let paths = Mutex<[String]>([])

    init() {
        let parent = Host.environment["FUZZ_FOLDER"] ?? "/tmp"
        path = require(try? Folder.createPrivate("\(parent)/fuzz-"), "scratch folder")
        let isFirst = Self.paths.withLock { paths in
            paths.append(path)
            return paths.count == 1
        }
        // libFuzzer ends without this; the Makefile's script removes the folders then.
        if isFirst {
            atexit { ScratchFolder.paths.withLock { for path in $0 { try? Folder.remove(path) } } }
        }
    }

    func write(_ bytes: [UInt8], _ name: String) {
        do { try File.write(bytes, to: "\(path)/\(name)", mode: 0o600) } catch {
            fatalError("'\(name)' cannot be written: \(error)")
        }
    }
}
