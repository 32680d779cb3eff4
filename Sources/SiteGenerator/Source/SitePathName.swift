import Access

/// The URLs of files of the source folder.
enum SitePathName {
    /// Names of index pages in lower case; `_index` is Hugo's.
    static let indexNames = ["index", "_index", "readme"]

    /// First segments that are reserved for nginx, siteauth, the theme, the preview and generated
    /// files of one audience.
    ///
    /// They have access rules of their own.
    static let reserved = ["auth", "_theme", "_errors", "_preview", "_reader", "_search"]

    /// `/a/b/` for `a/b.md`, `/a/` for `a/index.md`; a slug replaces `b`.
    static func url(ofPage path: String, slug: String? = nil) -> String {
        var segments = path.split(separator: "/").map(String.init)
        segments.removeLast()
        if !isIndex(path) { segments.append(slug ?? name(ofPage: path)) }
        return segments.isEmpty ? "/" : "/\(segments.joined(separator: "/"))/"
    }

    /// Whether a file is an index page.
    static func isIndex(_ path: String) -> Bool {
        indexNames.contains(name(ofPage: path).lowercased())
    }

    /// The file's name without its extension.
    private static func name(ofPage path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex))
    }

    /// Why a URL is not possible, or `nil` if it is.
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
        // In Swift, a slash and a combining mark are one character, so the name would not be split
        // there.
        let scalars = url.unicodeScalars
        if zip(scalars, scalars.dropFirst()).contains(where: {
            $0 == "/" && $1.properties.isGraphemeExtend
        }) {
            return "a name must not begin with a combining mark"
        }
        // A slug or an alias may be longer than any file name.
        if url.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.count > 255 }) {
            return "a part of this URL is longer than 255 bytes"
        }
        let first = url.dropFirst().prefix { $0 != "/" }.lowercased()
        if reserved.contains(first) {
            return "'/\(first)/' is reserved; give this folder or page another name"
        }
        return nil
    }

    /// Why a text is not a segment of a URL, or `nil` if it is.
    static func segmentMistake(_ segment: String) -> String? {
        if segment.contains("/") { return "it is one part of the URL and must not contain '/'" }
        if segment.hasPrefix(".") || SitePath("/\(segment)/") == nil {
            return
                "it must not contain '%', '?', '#', ';', '\\' or begin with a dot"
        }
        return nil
    }

    /// A path encoded for `href`: all characters except unreserved ones and `/` are percent-encoded
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

    /// A decoded path, or `nil` if the percent-encoding is broken or not UTF-8.
    static func decode(_ text: Substring) -> String? { PercentEncoding.decode(text) }
}
