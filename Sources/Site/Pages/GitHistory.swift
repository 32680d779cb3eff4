import Diagnostics
import POSIX
import Subprocess

/// Finds the dates and authors of files' last changes in git.
///
/// One `git log` serves the whole site. Either it covers all files, or no page gets a date and a
/// finding gives the reason: the result of a build must not depend on how busy or how well equipped
/// its machine is. Outside a repository nobody expects dates, and nothing is reported.
struct GitHistory: Sendable {
    /// The value of `PATH` with which `git` is searched; `nil` for the inherited one.
    var searchPath: String?
    /// The time limit for reading the history.
    var seconds = 60

    struct Answer: Sendable {
        /// By path.
        var changes: [String: Change] = [:]
        /// Why there are no dates.
        var problem: String?
    }

    struct Change: Sendable, Equatable {
        /// In the committer's zone, such as `2026-11-22T10:30:00+01:00`.
        let date: String
        let author: String
    }

    /// - Parameters:
    ///   - folder: the source folder.
    ///   - paths: of the files, relative to the folder. git is stopped when each of them was found.
    func lastChanges(in folder: String, of paths: [String]) async -> Answer {
        guard !paths.isEmpty, let repository = Repository(of: folder) else { return Answer() }
        let answer = await TimeLimit(seconds: seconds).run {
            let shallow = await ask(["rev-parse", "--is-shallow-repository"], repository) { parts in
                var text = ""
                for try await part in parts { text += part }
                return (text.contains("true"), false)
            }
            switch shallow {
            case .failure(let problem): return Answer(problem: problem.message)
            case .success(true): return Answer(problem: Self.shallow)
            case .success(false): break
            }
            let wanted = Set(paths)
            let log = await ask(Self.log(repository), repository) { parts in
                var log = GitLog(wanted: wanted)
                for try await part in parts {
                    log.take(part)
                    if log.isComplete { return (log.changes, true) }
                }
                return (log.changes, false)
            }
            switch log {
            case .failure(let problem): return Answer(problem: problem.message)
            case .success(let changes): return Answer(changes: changes)
            }
        }
        return answer ?? Answer(problem: "git did not answer within \(seconds) seconds")
    }

    private struct Problem: Error {
        /// `nil` if nobody expects dates.
        let message: String?

        init(message: String?) { self.message = message }

        /// git's own words may quote any file of this machine, so they are not repeated: a log is read
        /// by more people.
        init(saidBy git: String) {
            let known: [(String, String?)] = [
                ("dubious ownership", dubiousOwnership),
                ("does not have any commits yet", nil),
            ]
            message =
                known.first { git.contains($0.0) }.map(\.1)
                ?? "git failed; 'git log' in the source folder says why"
        }
    }

    private typealias Parts = SubprocessOutputSequence.StringSequence<UTF8>

    /// In a shallow clone the oldest commit seems to have created all files.
    private static let shallow =
        "the clone is shallow; run 'git fetch --unshallow', "
        + "or set 'fetch-depth: 0' in a GitHub workflow"

    private static func log(_ repository: Repository) -> [String] {
        let path = repository.path
        return [
            "log", path.isEmpty ? "--relative" : "--relative=\(path)/", "--no-show-signature",
            "--no-renames", "--no-ext-diff", "--name-only", "-z", "--encoding=UTF-8",
            "--format=format:%x02%cI %aN", "--", path.isEmpty ? "." : path,
        ]
    }

    /// Settings that override those of the user, which could change the answer.
    private static let settings = [
        "log.showRoot=true", "log.diffMerges=off", "log.showSignature=false", "log.follow=false",
        "diff.ignoreSubmodules=none", "color.ui=false", "log.mailmap=true",
        "safe.bareRepository=explicit",
    ]

    /// Runs git.
    ///
    /// - Parameter read: reads git's output, and returns whether it has read enough.
    private func ask<Value: Sendable>(
        _ arguments: [String],
        _ repository: Repository,
        _ read: @escaping @Sendable (Parts) async throws -> (value: Value, isEnough: Bool)
    ) async -> Result<Value, Problem> {
        let settings = Self.settings.flatMap { ["-c", $0] }
        let configuration = Configuration(
            executable: .name("git"),
            arguments: Arguments(
                ["--no-replace-objects", "-C", repository.top] + settings + arguments
            ),
            environment: environment(repository)
        )
        do {
            let result = try await run(
                configuration,
                input: .none,
                output: .sequence,
                error: .string(limit: 1 << 16)
            ) { execution in
                let parts = execution.standardOutput.strings(
                    separatedBy: .unicodeScalarSequence(["\0"])
                )
                let (value, isEnough) = try await read(parts)
                if isEnough { try? execution.send(signal: .terminate) }
                return (value, isEnough)
            }
            let (value, isEnough) = result.closureResult
            if isEnough || result.terminationStatus.isSuccess { return .success(value) }
            return .failure(Problem(saidBy: result.standardError))
        } catch {
            return .failure(Problem(message: "git cannot be run"))
        }
    }

    /// The environment of this process, without variables that select another repository or other
    /// files.
    ///
    /// git sets such variables for hooks. `GIT_CONFIG_…` stays: it may mark the repository as
    /// trusted.
    private func environment(_ repository: Repository) -> Environment {
        // Otherwise git would fetch missing objects of a partial clone, one by one.
        var changes: [Environment.Key: String?] = [
            "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C",
            "GIT_LITERAL_PATHSPECS": "1", "GIT_CEILING_DIRECTORIES": repository.above,
        ]
        for name in Host.environment.keys
        where name.hasPrefix("GIT_") && !name.hasPrefix("GIT_CONFIG_") && name != "GIT_EXEC_PATH" {
            if let key = Environment.Key(rawValue: name), changes[key] == nil {
                changes.updateValue(nil, forKey: key)
            }
        }
        if let searchPath { changes["PATH"] = searchPath }
        return .inherit.updating(changes)
    }

    private static let dubiousOwnership =
        "git refuses the repository, because another account owns it (dubious ownership); "
        + "'git config --global --add safe.directory' with its folder admits it"

    /// The repository of a source folder: the nearest folder above with `.git`, which is a folder or
    /// a file that refers to one.
    ///
    /// git starts there. In the source folder it would take files of an author, `HEAD`, `config`,
    /// `objects` and `refs`, for a bare repository, and obey the author's `config`. git never lets
    /// anybody commit a file `.git`.
    private struct Repository {
        let top: String
        /// The source folder, relative to ``top``.
        let path: String
        /// Where git stops looking.
        let above: String

        init?(of folder: String) {
            guard let real = Host.realPath(folder) else { return nil }
            var top = real
            while (try? FileStatus(of: "\(top)/.git")) == nil {
                guard let slash = top.lastIndex(of: "/"), !top.isEmpty else { return nil }
                top = String(top[..<slash])
            }
            path = String(real.dropFirst(top.count).drop { $0 == "/" })
            above = top.lastIndex(of: "/").map { String(top[..<$0]) } ?? ""
            self.top = top.isEmpty ? "/" : top
        }
    }
}

/// Parses the output of `git log`: `\u{2}2026-11-22T10:30:00+01:00 Author\n` before the first file of each commit,
/// and a NUL byte after each file.
struct GitLog {
    /// By path.
    private(set) var changes: [String: GitHistory.Change] = [:]

    private var wanted: Set<String>
    private var change = GitHistory.Change(date: "", author: "")

    init(wanted: Set<String>) { self.wanted = wanted }

    /// Whether all wanted files were found.
    var isComplete: Bool { wanted.isEmpty }

    mutating func take(_ part: String) {
        var name = part[...]
        if name.first == "\u{2}" {
            let end = name.firstIndex(of: "\n") ?? name.endIndex
            let parts = name[..<end].dropFirst().split(separator: " ", maxSplits: 1)
            change = GitHistory.Change(
                date: parts.first.map(String.init) ?? "",
                author: parts.count > 1 ? String(parts[1]) : ""
            )
            name = name[end...].dropFirst()
        }
        // Newest first: the first date of a file is that of its last change.
        if let path = wanted.remove(String(name)) { changes[path] = change }
    }
}
