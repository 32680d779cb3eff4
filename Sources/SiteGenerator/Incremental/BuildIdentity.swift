import Markdown
import OpenSSL
import POSIX

/// Everything except a page's own text that decides how the page is parsed.
///
/// Cached pages of another program or configuration are not used.
struct BuildIdentity: Sendable {
    let bytes: [UInt8]

    init(_ configuration: SiteConfiguration) {
        // Another build of the program may parse differently.
        let program = try? FileStatus(of: "/proc/self/exe")
        let options = configuration.markdown
        let parts = [
            "sitegen outline 5", "\(program?.size ?? 0)", "\(program?.inode ?? 0)",
            "\(program?.modifiedSeconds ?? 0)", "\(program?.modifiedNanoseconds ?? 0)",
            "\(options)", "\(configuration.search)",
        ]
        bytes = Digest.sha256(Array(parts.joined(separator: "\n").utf8))
    }

    /// The cache key of a page's source text.
    func key(of source: [UInt8]) -> [UInt8] { Digest.sha256(bytes + source) }
}
