import FoundationEssentials
import OpenSSL

/// Style sheets, scripts and pictures of the templates.
///
/// They are served to everybody without a question, so nothing of the content is in them. Each has
/// its digest in its name: what a browser keeps under that name never changes.
struct Theme: Sendable {
    static let folder = "theme/"

    private(set) var files: [Publication.File] = []
    /// URLs by file name, dots replaced: `site.css` is `site-css`.
    private(set) var urls: [String: String] = [:]
    /// What `integrity` has to say, under the same names (Subresource Integrity, section 3.5).
    private(set) var integrity: [String: String] = [:]

    init(_ design: Design) {
        for file in design.files where file.path.hasPrefix(Self.folder) {
            let plainName = file.path.dropFirst(Self.folder.count)
            let name = Self.fingerprinted(String(plainName), file.bytes)
            files.append(.init(path: "theme/\(name)", content: .bytes(file.bytes)))
            let key = String(plainName.map { $0 == "." ? "-" : $0 })
            urls[key] = "/_theme/\(SitePathName.encode(name))"
            let digest = Data(Digest.sha384(file.bytes)).base64EncodedString()
            integrity[key] = "sha384-\(digest)"
        }
    }

    /// `site.css` as `site.1f0c9a….css`.
    private static func fingerprinted(_ name: String, _ bytes: [UInt8]) -> String {
        let digest = Digest.hexadecimal(Digest.sha256(bytes).prefix(8))
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else {
            return "\(name).\(digest)"
        }
        return "\(name[..<dot]).\(digest)\(name[dot...])"
    }
}
