import ArgumentParser
import POSIX

/// The sockets on which nginx asks; each has threads of its own.
struct ServiceSockets {
    let check: ListeningSocket
    let pages: ListeningSocket
    /// For operators; `nil` if nobody set one up.
    let status: ListeningSocket?

    /// The sockets that systemd handed over.
    init(activated: [String: ListeningSocket]) throws {
        guard let check = activated["check"], let pages = activated["pages"] else {
            let names = activated.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw ValidationError(
                "systemd handed over the sockets \(names); they must be 'check' and 'pages'"
            )
        }
        (self.check, self.pages, status) = (check, pages, activated["status"])
    }

    /// New sockets at the paths of the command line.
    init(check: String, pages: String, status: String?, permissions: UInt32) throws {
        let paths =
            [("check", check), ("pages", pages)] + (status.map { [("status", $0)] } ?? [])
        for (option, path) in paths
        where path.isEmpty || path.contains(":") || path.allSatisfy(\.isNumber) {
            let rule = "it must be the path of a Unix socket, without ':'"
            throw ValidationError("'--\(option)-socket' is '\(path)'; \(rule)")
        }
        for (_, path) in paths {
            if let slash = path.lastIndex(of: "/") { try Folder.create(String(path[..<slash])) }
        }
        self.status = try status.map { try ListeningSocket(at: $0, permissions: permissions) }
        self.check = try ListeningSocket(at: check, permissions: permissions)
        self.pages = try ListeningSocket(at: pages, permissions: permissions)
    }

    /// Whether another process has taken over.
    var areReused: Bool { check.isReused && pages.isReused }
}
