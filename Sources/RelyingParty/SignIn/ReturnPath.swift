/// The path that a reader returns to after signing in: a path on this site, or the home page.
///
/// A stranger can choose it, by a link to a page of this site, and open redirects hide here in
/// every product of this kind. So nothing is repaired: every text that is not plainly a path of
/// this site becomes `/`. The redirect is then made with the site's own origin in front, so that no
/// browser can read a host into the path.
enum ReturnPath {
    static let home = "/"
    /// The path is part of the sign-in state, which travels in a URL; longer URLs are refused on
    /// the way.
    static let maximumLength = 1500

    /// - Parameter wanted: path and query as the browser sent them.
    static func sanitize(_ wanted: String?, callbackPath: String) -> String {
        // A trailing space would be lost in the header field.
        guard let wanted, wanted.utf8.count <= maximumLength, isPlain(Array(wanted.utf8)),
            wanted.utf8.last != UInt8(ascii: " ")
        else { return home }
        // Some browsers and proxies decode twice, so every layer of encoding must be plain.
        var layer = Array(wanted.utf8.prefix { $0 != UInt8(ascii: "?") })
        for _ in 0..<3 {
            guard let decoded = PercentEncoding.decode(String(decoding: layer, as: UTF8.self)),
                isPlain(decoded), String(validating: decoded, as: UTF8.self) != nil,
                isOurs(decoded, callbackPath: callbackPath)
            else { return home }
            if decoded == layer { return wanted }
            layer = decoded
        }
        return home
    }

    /// Whether the bytes are a plain path: one slash first, not followed by a slash or backslash;
    /// no control character, no backslash, no `//`, `/./` or `/../` in the path, and no `://` or
    /// `@` behind an empty first segment.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        let slash = UInt8(ascii: "/")
        guard bytes.first == slash else { return false }
        guard bytes.allSatisfy({ $0 > 0x1F && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            return false
        }
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        let segments = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        // The last segment is empty where the path ends with a slash.
        return segments.dropLast().allSatisfy { isSegment($0) }
            && (segments.last.map { $0.isEmpty || isSegment($0) } ?? true)
    }

    private static func isSegment(_ segment: ArraySlice<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        let text = segment.prefix { $0 != UInt8(ascii: ";") }
        return !segment.isEmpty && segment.contains { $0 != 32 } && !text.elementsEqual([dot])
            && !text.elementsEqual([dot, dot])
    }

    /// Whether the path is one of siteauth's own pages, which would be a loop; the account page is
    /// allowed.
    ///
    /// Compared by bytes, as nginx and browsers do: in Swift, a slash and a combining accent are
    /// one Character.
    private static func isOurs(_ wanted: [UInt8], callbackPath: String) -> Bool {
        let path = wanted.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if path.elementsEqual("/auth/account".utf8) { return true }
        let lowerCase = path.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        return !path.elementsEqual(callbackPath.utf8) && !lowerCase.starts(with: "/auth/".utf8)
            && !lowerCase.elementsEqual("/auth".utf8)
    }
}
