import OpenSSL
import POSIX
import Synchronization

extension Highlighter {
    /// Searches of this process that did not find the tool.
    ///
    /// A preview builds at each save, and asking an interpreter takes a second on some machines.
    static let misses = Mutex<Set<String>>([])

    /// The interpreters, in the order in which they are asked, each once.
    var processes: [WorkerProcess] {
        var processes: [WorkerProcess] = []
        for path in searchPaths {
            guard let process = WorkerProcess(tool, path: path),
                !processes.contains(where: { $0.interpreter == process.interpreter })
            else { continue }
            processes.append(process)
        }
        return processes
    }

    /// Where the tool is searched: a new interpreter is asked even if the one before it had no tool.
    package var search: String {
        let script = Digest.hexadecimal(Digest.sha256(script))
        return processes.map(\.identity).joined(separator: "\n") + script
    }

    /// Whether the tool is known not to be installed; starts no process.
    package var isMissing: Bool {
        let isThere = files.allSatisfy { places in
            places.contains { (try? FileStatus(of: $0))?.kind == .file }
        }
        return !isThere || Self.misses.withLock { $0.contains(search) }
    }
}
