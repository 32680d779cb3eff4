import Diagnostics
import POSIX

/// What nginx's configuration says about sites that siteauth guards.
///
/// Only what is included from `nginx.conf` is read: a site that is not enabled is not there.
struct NginxConfiguration {
    /// A server block, with its `set` directives.
    struct Server {
        /// The value and the place of each variable.
        var variables: [String: (value: String, location: SourceLocation)] = [:]

        /// The socket for checks, as `maps.conf` names it.
        var checkSocket: String? {
            variables["$siteauth_check"]?.value
                ?? variables["$site"].map { "unix:/run/siteauth/\($0.value)/check.sock" }
        }
    }

    /// The server blocks of sites: those that set `$site_origin`.
    private(set) var sites: [Server] = []
    /// Whether the limits of `http.conf` are there, which each site needs.
    private(set) var hasLimits = false

    private let folder: String
    private var server: Server?
    /// The first word of each open block.
    private var blocks: [String] = []
    private var filesLeft = 1000

    /// - Parameter folder: nginx's own, where it looks for the files of an `include`.
    init(_ path: String, in folder: String) throws(SystemError) {
        self.folder = folder
        try read(path)
    }

    /// Reads a file as nginx does: words, quotes, comments, `;` and braces.
    private mutating func read(_ path: String) throws(SystemError) {
        // A file that includes itself.
        guard filesLeft > 0 else { return }
        filesLeft -= 1
        let bytes = try File.read(path, maximumBytes: 1 << 20)
        var words: [String] = []
        var word: [UInt8]?
        var quote: UInt8?
        var (line, first, index) = (1, 1, 0)
        func end() {
            if let finished = word { words.append(String(decoding: finished, as: UTF8.self)) }
            word = nil
        }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if byte == UInt8(ascii: "\\"), index < bytes.count {
                word = (word ?? []) + [byte, bytes[index]]
                index += 1
            } else if let open = quote {
                if byte == open { quote = nil } else { word?.append(byte) }
            } else {
                switch byte {
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                    end()
                case UInt8(ascii: "#") where word == nil:
                    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    if word == nil { (word, quote) = ([], byte) } else { word?.append(byte) }
                case UInt8(ascii: "{") where word?.last == UInt8(ascii: "$"):
                    // A variable such as '${site}'.
                    while index < bytes.count, bytes[index - 1] != UInt8(ascii: "}") { index += 1 }
                case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"):
                    end()
                    try finish(byte, words, SourceLocation(path, line: first))
                    words = []
                default:
                    if words.isEmpty, word == nil { first = line }
                    word = (word ?? []) + [byte]
                }
            }
        }
    }

    private mutating func finish(
        _ end: UInt8,
        _ words: [String],
        _ location: SourceLocation
    ) throws(SystemError) {
        switch end {
        case UInt8(ascii: "{"):
            if words.first == "server", server == nil { server = Server() }
            blocks.append(words.first ?? "")
        case UInt8(ascii: "}"):
            guard blocks.popLast() == "server", let finished = server else { return }
            if finished.variables["$site_origin"] != nil { sites.append(finished) }
            server = nil
        default:
            switch words.first {
            case "include" where words.count == 2:
                for path in try files(words[1]) { try read(path) }
            case "set" where words.count == 3 && blocks.last == "server":
                server?.variables[words[1]] = (words[2], location)
            case "limit_req_zone":
                if words.contains(where: { $0.hasPrefix("zone=siteauth:") }) { hasLimits = true }
            default: break
            }
        }
    }

    /// The files that an `include` names: `*` may stand in the name of the file.
    private func files(_ pattern: String) throws(SystemError) -> [String] {
        let path = pattern.hasPrefix("/") ? pattern : "\(folder)/\(pattern)"
        guard path.contains("*"), let slash = path.lastIndex(of: "/") else { return [path] }
        let parts = path[path.index(after: slash)...].split(
            separator: "*",
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, let start = parts.first, let end = parts.last else { return [] }
        let above = String(path[..<slash])
        guard (try? FileStatus(of: above)) != nil else { return [] }
        return try Folder.names(in: above).sorted().filter { name in
            name.utf8.count >= start.utf8.count + end.utf8.count && name.hasPrefix(start)
                && name.hasSuffix(end) && !(name.hasPrefix(".") && start.isEmpty)
        }.map { "\(above)/\($0)" }
    }
}
