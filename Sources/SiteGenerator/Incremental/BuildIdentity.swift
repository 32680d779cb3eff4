import Markdown
import OpenSSL
import POSIX

/// What decides, beside a page's own bytes, how it is parsed: what was kept from another program or
/// another configuration is of no use.
struct BuildIdentity: Sendable {
    let bytes: [UInt8]

    init(_ configuration: SiteConfiguration) {
        // A program that was built anew may do anything differently.
        let program = try? FileStatus(of: "/proc/self/exe")
        let options = configuration.markdown
        let parts = [
            "sitegen outline 5", "\(program?.size ?? 0)", "\(program?.inode ?? 0)",
            "\(program?.modifiedSeconds ?? 0)", "\(program?.modifiedNanoseconds ?? 0)",
            "\(options)", "\(configuration.search)",
        ]
        bytes = Digest.sha256(Array(parts.joined(separator: "\n").utf8))
    }

    /// A name for the source of a page, parsed by this program.
    func key(of source: [UInt8]) -> [UInt8] { Digest.sha256(bytes + source) }
}
