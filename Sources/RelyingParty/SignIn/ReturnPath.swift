/// Where a reader goes after signing in: a path on this site, or the first page.
///
/// It is the one thing in the flow that a stranger may choose, by a link to a page of ours, and
/// open redirects hide here in every product of this kind. So nothing is repaired: what is not
/// plainly a path of this site is answered with `/`. The redirect is then made with our own origin
/// in front, which leaves no way for a browser to read a host into it.
enum ReturnPath {
    static let home = "/"
    /// Sign-in state travels in a URL; a longer one would be refused on its way.
    static let maximumLength = 1500

    /// - Parameter wanted: path and query as the browser sent them.
    static func sanitize(_ wanted: String?, callbackPath: String) -> String {
        // A space at its end would be lost in the header field.
        guard let wanted, wanted.utf8.count <= maximumLength, isPlain(Array(wanted.utf8)),
            wanted.utf8.last != UInt8(ascii: " ")
        else { return home }
        // Browsers and proxies decode once more than they should; so must every layer be plain.
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

    /// One slash first, then neither slash nor backslash; no control character, no backslash, no
    /// `//`, `/./` or `/../` in the path, and no `://` or `@` behind a first segment that is empty.
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

    /// Not one of our own pages, which would lead in a circle; the account page is a page to read.
    ///
    /// By bytes, as nginx and browsers do: to a Character, a slash and an accent behind it are one.
    private static func isOurs(_ wanted: [UInt8], callbackPath: String) -> Bool {
        let path = wanted.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if path.elementsEqual("/auth/account".utf8) { return true }
        let lowerCase = path.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        return !path.elementsEqual(callbackPath.utf8) && !lowerCase.starts(with: "/auth/".utf8)
            && !lowerCase.elementsEqual("/auth".utf8)
    }
}
