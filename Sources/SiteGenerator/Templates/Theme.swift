import Diagnostics
import OpenSSL
import POSIX

/// Style sheets, scripts and pictures of the templates.
///
/// They are served to everybody without a question, so nothing of the content is in them. Each has
/// its digest in its name: what a browser keeps under that name never changes.
struct Theme: Sendable {
    static let folder = "theme/"

    private(set) var files: [Publication.File] = []
    /// URLs by file name, dots replaced: `site.css` is `site-css`.
    private(set) var urls: [String: String] = [:]
    private(set) var diagnostics: [Diagnostic] = []

    /// - Parameter files: those of the templates folder.
    init(_ files: [SourceTree.File]) {
        for file in files where file.path.hasPrefix(Self.folder) {
            do {
                let bytes = try File.read(file.diskPath)
                let name = Self.fingerprinted(String(file.path.dropFirst(Self.folder.count)), bytes)
                self.files.append(.init(path: "theme/\(name)", content: .bytes(bytes)))
                let key = file.path.dropFirst(Self.folder.count).map { $0 == "." ? "-" : $0 }
                urls[String(key)] = "/_theme/\(SitePathName.encode(name))"
            } catch {
                diagnostics.append(Diagnostic(.error, error.reason, at: Place(file.displayPath)))
            }
        }
    }

    /// `site.css` as `site.1f0c9a….css`.
    private static func fingerprinted(_ name: String, _ bytes: [UInt8]) -> String {
        let digest = Digest.sha256(bytes).prefix(8).map { byte in
            byte < 16 ? "0\(String(byte, radix: 16))" : String(byte, radix: 16)
        }.joined()
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else {
            return "\(name).\(digest)"
        }
        return "\(name[..<dot]).\(digest)\(name[dot...])"
    }
}
