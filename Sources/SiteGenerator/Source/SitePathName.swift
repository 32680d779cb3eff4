import Access

/// How files of the source folder get their URLs.
enum SitePathName {
    /// Names that a folder's page may have, in lower case; `_index` is Hugo's.
    static let indexNames = ["index", "_index", "readme"]

    /// First segments that belong to nginx, siteauth, the theme, the preview and what is made for one
    /// audience: rules of their own hold there.
    static let reserved = ["auth", "_theme", "_errors", "_preview", "_reader", "_search"]

    /// `a/b.md` is `/a/b/`, `a/index.md` is `/a/`; a slug stands for the `b`.
    static func url(ofPage path: String, slug: String? = nil) -> String {
        var segments = path.split(separator: "/").map(String.init)
        segments.removeLast()
        if !isIndex(path) { segments.append(slug ?? name(ofPage: path)) }
        return segments.isEmpty ? "/" : "/\(segments.joined(separator: "/"))/"
    }

    /// Whether a file is the page of its folder.
    static func isIndex(_ path: String) -> Bool {
        indexNames.contains(name(ofPage: path).lowercased())
    }

    /// The file's name without what follows its last dot.
    private static func name(ofPage path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex))
    }

    /// Why siteauth would refuse a path, or `nil` if it would not.
    static func mistake(_ url: String) -> String? {
        if url.utf8.count > SitePath.maximumLength {
            return "its URL would be longer than \(SitePath.maximumLength) bytes"
        }
        if url.utf8.count(where: { $0 == UInt8(ascii: "/") }) > SitePath.maximumSegments {
            return "it is nested deeper than \(SitePath.maximumSegments - 1) folders"
        }
        if SitePath(url) == nil {
            return "a name must not contain '%', '?', '#', ';', '\\' or a control character"
        }
        // Read as one character with the slash before it, the name would not begin there.
        let scalars = url.unicodeScalars
        if zip(scalars, scalars.dropFirst()).contains(where: {
            $0 == "/" && $1.properties.isGraphemeExtend
        }) {
            return "a name must not begin with a combining mark"
        }
        // An address may be longer than any file name: a slug or an alias was no file before.
        if url.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.count > 255 }) {
            return "a part of this URL is longer than 255 bytes"
        }
        let first = url.dropFirst().prefix { $0 != "/" }.lowercased()
        if reserved.contains(first) {
            return "'/\(first)/' is reserved; give this folder or page another name"
        }
        return nil
    }

    /// Why a text is no single segment of a URL, or `nil` if it is one.
    static func segmentMistake(_ segment: String) -> String? {
        if segment.contains("/") { return "it is one part of the URL and must not contain '/'" }
        if segment.hasPrefix(".") || SitePath("/\(segment)/") == nil {
            return
                "it must not contain '%', '?', '#', ';', '\\' or begin with a dot"
        }
        return nil
    }

    /// A path as it stands in `href`: everything but unreserved characters and `/` encoded
    /// (RFC 3986, section 2.3).
    static func encode(_ path: String) -> String {
        var text: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in path.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126, 47: text.append(byte)
            default: text += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A percent-encoded path as it is, or `nil` if its encoding is broken or it is not UTF-8.
    static func decode(_ text: Substring) -> String? { PercentEncoding.decode(text) }
}
