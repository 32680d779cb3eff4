import OpenSSL
import POSIX

/// Identifies a tool: its version, path and file, and the worker's program.
///
/// The same tool gives the same answers.
struct HighlighterIdentity: Sendable, Equatable {
    /// One line.
    let text: String

    /// - Parameters:
    ///   - hello: the worker's first line, `pygments VERSION PATH`.
    ///   - tool: the tool that it must name.
    ///   - script: the worker's program.
    init?(hello: some StringProtocol, _ tool: CodeTool, script: [UInt8]) {
        let parts = hello.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[0] == tool.rawValue,
            !hello.utf8.contains(where: { $0 < 32 }),
            let status = try? FileStatus(of: String(parts[2])), status.kind == .file
        else { return nil }
        let digest = Digest.hexadecimal(Digest.sha256(script).prefix(16))
        let file = "\(status.size) \(status.modifiedSeconds) \(status.modifiedNanoseconds)"
        text = "\(hello)\t\(file)\t\(digest)"
    }

    /// The identity, if the highlighter of this machine is still the one in the text.
    ///
    /// The tool's file is checked on disk, so that no process is started if nothing has changed.
    static func current(
        _ text: some StringProtocol,
        _ tool: CodeTool,
        script: [UInt8]
    ) -> HighlighterIdentity? {
        guard let hello = text.split(separator: "\t").first,
            let identity = HighlighterIdentity(hello: hello, tool, script: script),
            identity.text == text
        else { return nil }
        return identity
    }
}
