import Subprocess

/// When files were last changed, as git remembers it.
///
/// git is asked once for a whole site. Where there is no git, no repository or no answer in time,
/// nobody knows, and pages show no day.
enum GitHistory {
    /// - Parameters:
    ///   - folder: of the pages.
    ///   - paths: below it; git is stopped when each of them was seen.
    /// - Returns: days as `2026-11-22` by path.
    static func lastChanges(in folder: String, of paths: [String]) async -> [String: String] {
        guard !paths.isEmpty else { return [:] }
        let configuration = Configuration(
            executable: .name("git"),
            arguments: [
                "-C", folder, "log", "--relative", "--no-show-signature", "--no-renames",
                "--name-only", "-z", "--format=format:%x02%cs", "--", ".",
            ],
            environment: .inherit.updating(["GIT_OPTIONAL_LOCKS": "0"])
        )
        return await withTaskGroup(of: [String: String]?.self) { group in
            group.addTask {
                try? await run(
                    configuration,
                    input: .none,
                    output: .sequence,
                    error: .discarded
                ) { execution in
                    var log = GitLog(wanted: Set(paths))
                    let parts = execution.standardOutput.strings(
                        separatedBy: .unicodeScalarSequence(["\0"])
                    )
                    for try await part in parts {
                        log.take(part)
                        if log.isComplete { break }
                    }
                    try? execution.send(signal: .terminate)
                    return log.days
                }.closureResult
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(20))
                return nil
            }
            // The first to end; the other one is cancelled, and git with it.
            let days = await group.next() ?? nil
            group.cancelAll()
            return days ?? [:]
        }
    }
}

/// What git's log says, read piece by piece: `\u{2}2026-11-22\n` before the first of the files
/// that a commit changed, a zero byte behind each.
struct GitLog {
    /// By path.
    private(set) var days: [String: String] = [:]

    private var wanted: Set<String>
    private var day = ""

    init(wanted: Set<String>) { self.wanted = wanted }

    /// Whether all wanted files were seen.
    var isComplete: Bool { wanted.isEmpty }

    mutating func take(_ part: String) {
        var name = part[...]
        if name.first == "\u{2}" {
            let end = name.firstIndex(of: "\n") ?? name.endIndex
            day = String(name[..<end].dropFirst())
            name = name[end...].dropFirst()
        }
        // Newest first: what was seen before was changed since.
        if let path = wanted.remove(String(name)) { days[path] = day }
    }
}
