import Access

/// The URLs of files of the source folder.
package enum SitePathName {
    /// Names of index pages in lower case; `_index` is Hugo's.
    static let indexNames = ["index", "_index", "readme"]

    /// What the names of pages end with; Markdown with components is read as Markdown.
    package static let pageEndings = [".md", ".markdown", ".mdx"]

    package static func isPage(_ path: some StringProtocol) -> Bool {
        pageEndings.contains { path.hasSuffix($0) }
    }

    /// First segments that are reserved for nginx, siteauth, the theme, the preview and generated
    /// files of one audience.
    ///
    /// They have access rules of their own.
    package static let reserved = ["auth", "_theme", "_errors", "_preview", "_reader", "_search"]

    /// `/a/b/` for `a/b.md`, `/a/` for `a/index.md`; a slug replaces `b`.
    ///
    /// - Parameter isIndex: `nil` to look at the name.
    package static func url(
        ofPage path: String,
        slug: String? = nil,
        isIndex: Bool? = nil
    ) -> String {
        let isIndex = isIndex ?? Self.isIndex(path)
        let path = withoutEscapes(path)
        if isSimple(path) {
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let folder = slash.map { "/\(path[..<$0])/" } ?? "/"
            return isIndex ? folder : "\(folder)\(slug ?? name(ofPage: path))/"
        }
        var segments = path.split(separator: "/").map(String.init)
        segments.removeLast()
        if !isIndex { segments.append(slug ?? name(ofPage: path)) }
        return segments.isEmpty ? "/" : "/\(segments.joined(separator: "/"))/"
    }

    /// The URL of a file that is copied unchanged.
    package static func url(ofFile path: String) -> String { "/" + withoutEscapes(path) }

    /// A path without the escapes by which Azure DevOps writes marks in names: `e-mail.md` for
    /// `e%2Dmail.md`.
    ///
    /// No escape becomes a slash or the dot of a hidden file. Marks that no URL has are left out.
    package static func withoutEscapes(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: "%")) else { return path }
        return path.split(separator: "/", omittingEmptySubsequences: false).map { name in
            guard let text = decode(name), !text.hasPrefix("."),
                !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || "/\\%".utf8.contains($0) })
            else { return String(name) }
            return text.filter { !"?#;".contains($0) }
        }.joined(separator: "/")
    }

    /// Whether a file is an index page.
    package static func isIndex(_ path: String) -> Bool {
        indexNames.contains(name(ofPage: path).lowercased())
    }

    /// Whether a path is ASCII and no segment is empty: then its bytes are its characters.
    private static func isSimple(_ path: String) -> Bool {
        var last = UInt8(ascii: "/")
        for byte in path.utf8 {
            if byte >= 0x80 || (byte == last && byte == UInt8(ascii: "/")) { return false }
            last = byte
        }
        return last != UInt8(ascii: "/")
    }

    /// The file's name without its extension.
    private static func name(ofPage path: String) -> String {
        if isSimple(path) {
            let bytes = path.utf8
            let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
            let file = path[(slash.map(bytes.index(after:)) ?? path.startIndex)...]
            return String(file[..<(file.utf8.lastIndex(of: UInt8(ascii: ".")) ?? file.endIndex)])
        }
        let file = path.split(separator: "/").last ?? ""
        return String(file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex))
    }

    /// Why a URL is not possible, or `nil` if it is.
    package static func mistake(_ url: String) -> String? {
        if isFlawless(url) { return nil }
        if url.utf8.count > SitePath.maximumLength {
            return "its URL would be longer than \(SitePath.maximumLength) bytes"
        }
        if url.utf8.count(where: { $0 == UInt8(ascii: "/") }) > SitePath.maximumSegments {
            return "it is nested deeper than \(SitePath.maximumSegments - 1) folders"
        }
        if SitePath(url) == nil {
            return "a name must not contain '%', '?', '#', ';', '\\' or a control character"
        }
        // In Swift, a slash and a combining mark after it, or a sign such as U+0600 before it, are
        // one character, so the name would not be split there.
        let slash = UInt8(ascii: "/")
        if url.utf8.count(where: { $0 == slash }) != url.count(where: { $0 == "/" }) {
            let marks = "nor end with a mark that joins what follows"
            return "a name must not begin with a combining mark, \(marks)"
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

    /// A quick answer for most URLs: letters, digits and harmless marks, nothing reserved, not long.
    private static func isFlawless(_ url: String) -> Bool {
        guard url.utf8.count <= 255, url.utf8.first == UInt8(ascii: "/") else { return false }
        var slashes = 0
        var isStart = false
        for byte in url.utf8 {
            switch byte {
            case UInt8(ascii: "/"):
                if isStart { return false }
                isStart = true
                slashes += 1
                continue
            // Segments may begin with a dot, and reserved ones begin with these two.
            case UInt8(ascii: "."): if isStart { return false }
            case UInt8(ascii: "_"), UInt8(ascii: "A"), UInt8(ascii: "a"):
                if isStart, slashes == 1 { return false }
            case 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: break
            default: return false
            }
            isStart = false
        }
        return slashes <= SitePath.maximumSegments
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
    package static func encode(_ path: String) -> String {
        let isPlain: (UInt8) -> Bool = { byte in
            switch byte {
            case 45...57, 65...90, 95, 97...122, 126: true
            default: false
            }
        }
        if path.utf8.allSatisfy(isPlain) { return path }
        var text: [UInt8] = []
        encode(path, into: &text)
        return String(decoding: text, as: UTF8.self)
    }

    package static func encode(_ path: String, into text: inout [UInt8]) {
        let path = path.utf8.span
        for index in path.indices {
            let byte = path[index]
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126, 47: text.append(byte)
            default:
                text.append(37)
                text.append(digit(byte >> 4))
                text.append(digit(byte & 15))
            }
        }
    }

    private static func digit(_ number: UInt8) -> UInt8 { number + (number < 10 ? 48 : 55) }

    /// A decoded path, or `nil` if the percent-encoding is broken or not UTF-8.
    package static func decode(_ text: Substring) -> String? {
        text.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decode(text) : String(text)
    }

    /// The URL of the folder above; that of `/` is `/`.
    package static func parent(of url: String) -> String {
        // By bytes, because a slash with a combining mark is another character in Swift.
        guard let slash = url.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) else { return "/" }
        return String(url[...slash])
    }
}
