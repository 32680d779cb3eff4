import POSIX
import Site
import SourceFolder
import Subprocess
import SystemPackage

/// How the process of a worker is started: by which interpreter, within which limits, and with which
/// environment.
///
/// Authors write the code that the tools read. None of their files decides how a tool is run: the
/// working folder is not the site's, and interpreters are started by their absolute names.
struct WorkerProcess: Sendable {
    let interpreter: String
    private let environment: [Environment.Key: String]

    /// - Parameter path: the value of `PATH` with which the interpreter is searched, `nil` for the
    ///   inherited one.
    /// - Returns: `nil` without the interpreter.
    init?(_ tool: CodeTool, path: String?) {
        var variables = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        if path == nil {
            // A version manager's interpreter needs the user's variables. Node has no isolated mode,
            // and `PWD` names the site's folder.
            variables = Host.environment.filter { name, _ in
                !name.hasPrefix("NODE_") && !name.hasPrefix("PYTHON") && name != "PWD"
            }
        }
        // A relative folder of PATH may be one of the site's.
        let folders = (variables["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        variables["PATH"] = folders.joined(separator: ":")
        let searched = path.map { [$0[...]] } ?? folders
        let files = searched.map { "\($0)/\(tool.interpreter)" }
        guard let interpreter = files.first(where: Self.isProgram) else { return nil }
        self.interpreter = interpreter
        environment = Dictionary(
            uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0), $1) }
        )
    }

    private static func isProgram(_ path: String) -> Bool {
        guard let status = try? FileStatus(of: path) else { return false }
        return status.kind == .file && status.permissions & 0o111 != 0
    }

    /// Limits that the worker hands on to what it starts: no core files, 1 GiB of data, files of 1 MiB.
    ///
    /// A limit of the user's that is lower stays. Data are limited, and not addresses, because the JVM
    /// and Node reserve more addresses than they use.
    private static let limits = """
        for limit in '-c 0' '-d 1048576' '-f 2048'; do ulimit $limit; done 2> /dev/null
        exec "$0" "$@"
        """
    /// The same for Python, which runs where there is no shell, as in the container image.
    private static let pythonLimits = """
        import resource as r
        for kind, limit in (r.RLIMIT_CORE, 0), (r.RLIMIT_DATA, 1 << 30), (r.RLIMIT_FSIZE, 1 << 20):
            hard = r.getrlimit(kind)[1]
            limit = limit if hard == r.RLIM_INFINITY else min(limit, hard)
            r.setrlimit(kind, (limit, limit))

        """

    func configuration(_ arguments: [String]) -> Configuration {
        var command = [interpreter] + arguments
        if let script = arguments.firstIndex(of: "-c") {
            command[script + 2] = Self.pythonLimits + arguments[script + 1]
        } else {
            command = ["/bin/sh", "-c", Self.limits] + command
        }
        return Configuration(
            executable: .path(FilePath(command[0])),
            arguments: Arguments(Array(command[1...])),
            environment: .custom(environment),
            workingDirectory: "/"
        )
    }

    /// Changes when the interpreter does.
    var identity: String {
        let status = try? FileStatus(of: interpreter)
        return "\(interpreter) \(status.map { "\(SourceState($0))" } ?? "")"
    }
}
