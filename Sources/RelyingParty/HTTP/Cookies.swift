/// Reads the cookies of a request (RFC 6265).
struct Cookies: Sendable {
    /// siteauth never sets more cookies of one name than this.
    static let maximumOfOneName = 4
    private static let maximumLength = 64 << 10

    /// The values of all cookies of that name; a page on a neighbouring host may have added some.
    ///
    /// - Parameter maximum: if there are more, the result is empty.
    static func values(
        named name: String,
        in header: String?,
        maximum: Int = maximumOfOneName
    ) -> [[UInt8]] {
        // Compared by bytes, so that a neighbour's cookie full of combining marks costs no time.
        guard let header, header.utf8.count <= maximumLength else { return [] }
        let bytes = Array(header.utf8)
        let start = Array("\(name)=".utf8)
        var values: [[UInt8]] = []
        for pair in bytes.split(separator: UInt8(ascii: ";")) {
            let pair = pair.drop(while: isSpace)
            guard pair.starts(with: start) else { continue }
            var value = pair.dropFirst(start.count)
            while let last = value.last, isSpace(last) { value.removeLast() }
            values.append(Array(value))
            if values.count > maximum { return [] }
        }
        return values
    }

    /// The header field `Cookie` without the cookies of those names.
    ///
    /// Cookies without a name, and fields that are too long to look through, are removed too:
    /// another program might find one of siteauth's cookies in them.
    static func header(_ header: String?, without names: [String]) -> String {
        guard let header, header.utf8.count <= maximumLength else { return "" }
        let ours = names.map { Array($0.utf8) }
        let kept = header.utf8.split(separator: UInt8(ascii: ";")).compactMap { pair -> String? in
            let pair = pair.drop(while: isSpace)
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            var name = pair[..<equals]
            while let last = name.last, isSpace(last) { name.removeLast() }
            return ours.contains { name.elementsEqual($0) } ? nil : String(pair)
        }
        return kept.joined(separator: "; ")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}

/// How cookies are set on a site.
struct CookieAttributes: Sendable {
    /// Whether the site is on https.
    ///
    /// On plain http, as on `http://localhost`, some browsers refuse cookies with `Secure` or
    /// `__Host-`.
    let isSecure: Bool

    /// `__Host-` makes browsers refuse the cookie from any other host, path or plain connection.
    func name(_ name: String) -> String { isSecure ? "__Host-\(name)" : name }

    /// A cookie that ends with the browser, or after a number of seconds.
    ///
    /// `Lax` and not `Strict`: the redirect back from the provider is a cross-site navigation. A
    /// strict cookie that it sets is missing in the next request, which would be a loop.
    func set(_ name: String, _ value: String, seconds: Int? = nil) -> String {
        let cookie = "\(self.name(name))=\(value); Path=/; HttpOnly; SameSite=Lax"
        let secure = isSecure ? "; Secure" : ""
        return cookie + secure + (seconds.map { "; Max-Age=\($0)" } ?? "")
    }

    func delete(_ name: String) -> String { set(name, "", seconds: 0) }
}
