import FoundationEssentials
import OpenSSL

/// Style sheets, scripts and pictures of the templates.
///
/// They are served to everybody without a question, so nothing of the content is in them. Each has
/// its digest in its name: what a browser keeps under that name never changes. A folder with the
/// name of a file, as `site.css/`, is one file, made of those in it.
struct Theme: Sendable {
    static let folder = "theme/"

    private(set) var files: [Publication.File] = []
    /// URLs by file name, dots replaced: `site.css` is `site-css`.
    private(set) var urls: [String: String] = [:]
    /// What `integrity` has to say, under the same names (Subresource Integrity, section 3.5).
    private(set) var integrity: [String: String] = [:]

    init(_ design: Design) {
        for (plainName, bytes) in Self.joined(design).sorted(by: { $0.key < $1.key }) {
            let name = Self.fingerprinted(plainName, bytes)
            files.append(.init(path: "theme/\(name)", content: .bytes(bytes)))
            let key = String(plainName.map { $0 == "." ? "-" : $0 })
            urls[key] = "/_theme/\(SitePathName.encode(name))"
            let digest = Data(Digest.sha384(bytes)).base64EncodedString()
            integrity[key] = "sha384-\(digest)"
        }
    }

    /// The files by name, those of a folder such as `site.js/` in the order of their names.
    ///
    /// A site's own `site.css` takes the place of the whole folder.
    private static func joined(_ design: Design) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var parts: [String: [UInt8]] = [:]
        for file in design.files where file.path.hasPrefix(folder) {
            let name = String(file.path.dropFirst(folder.count))
            let names = name.split(separator: "/").map(String.init)
            if names.count == 2, [".css", ".js"].contains(where: names[0].hasSuffix) {
                parts[names[0], default: []] += file.bytes
            } else {
                files[name] = file.bytes
            }
        }
        return files.merging(parts) { whole, _ in whole }
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
