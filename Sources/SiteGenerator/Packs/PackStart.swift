import Diagnostics
import OpenSSL
import POSIX

/// The first three lines of a pack: enough to refuse a stranger's before anything else of it is read.
struct PackStart {
    /// The size of these lines.
    let size: Int
    /// The size of the header when it is decompressed.
    let headerBytes: Int
    /// SHA-256 of the header.
    let headerDigest: [UInt8]
    /// The lines that the signature is over.
    private let signed: [UInt8]
    private let signature: [UInt8]?

    /// More than these lines can have.
    static let maximumBytes = 320

    init(of file: ScratchFile) throws {
        let start = try file.read(0..<Self.maximumBytes)
        let lines = start.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines[0] == Pack.firstLine else {
            throw CommandError(
                lines[0].hasPrefix("site-pack ")
                    ? "the pack is of another version of sitegen; use the same on both machines"
                    : "this is not a pack; 'sitegen releases pack' makes one"
            )
        }
        guard lines.count == 4 else { throw CommandError("the pack is cut off") }
        let words = lines[1].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "header", let count = Pack.number(words[1]),
            (1...Pack.maximumHeaderBytes).contains(count), let digest = Pack.digest(words[2]),
            lines[2].hasPrefix("signature ")
        else { throw CommandError("the first lines of the pack are damaged") }
        let last = lines[2].dropFirst("signature ".count)
        signature = Pack.bytes(last, count: 64)
        guard signature != nil || last == "none" else {
            throw CommandError("the first lines of the pack are damaged")
        }
        signed = Array("\(lines[0])\n\(lines[1])\n".utf8)
        size = signed.count + lines[2].utf8.count + 1
        (headerBytes, headerDigest) = (count, digest)
    }

    /// - Throws: unless the pack was signed with the private half of the key, if there is one.
    func verify(_ key: Ed25519PublicKey?) throws(CommandError) {
        guard let key else { return }
        guard let signature else { throw CommandError("the pack is not signed") }
        guard key.verifies(signature, of: signed) else {
            throw CommandError("the pack is not signed with the key that this machine trusts")
        }
    }
}
