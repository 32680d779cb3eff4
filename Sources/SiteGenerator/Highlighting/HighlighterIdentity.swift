import OpenSSL
import POSIX

/// Which highlighter answers: as long as it is the same, so are the answers.
struct HighlighterIdentity: Sendable, Equatable {
    /// One line.
    let text: String

    /// - Parameters:
    ///   - hello: what the worker says first, `pygments VERSION PATH`.
    ///   - script: the worker's program.
    init?(hello: some StringProtocol, script: [UInt8]) {
        let parts = hello.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[0] == "pygments",
            !hello.utf8.contains(where: { $0 < 32 }),
            let status = try? FileStatus(of: String(parts[2])), status.kind == .file
        else { return nil }
        let digest = Digest.hexadecimal(Digest.sha256(script).prefix(16))
        let file = "\(status.size) \(status.modifiedSeconds) \(status.modifiedNanoseconds)"
        text = "\(hello)\t\(file)\t\(digest)"
    }

    /// Whether the highlighter on this machine is still the one of that text.
    ///
    /// Pygments' own file tells, so that nothing has to be started where nothing has changed.
    static func current(_ text: some StringProtocol, script: [UInt8]) -> HighlighterIdentity? {
        guard let hello = text.split(separator: "\t").first,
            let identity = HighlighterIdentity(hello: hello, script: script),
            identity.text == text
        else { return nil }
        return identity
    }
}
