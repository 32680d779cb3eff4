/// The cookies of a request, and how ours are set (RFC 6265).
struct Cookies: Sendable {
    /// More of one name than this are not from us.
    static let maximumOfOneName = 4
    private static let maximumLength = 64 << 10

    /// The values of all cookies of that name; a page on a neighbouring host may have added one.
    ///
    /// - Parameter maximum: where there are more, there are none.
    static func values(
        named name: String,
        in header: String?,
        maximum: Int = maximumOfOneName
    ) -> [[UInt8]] {
        // By bytes: what a neighbour's cookie holds in letters and marks costs nothing here.
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

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}

/// How cookies are set on a site.
struct CookieAttributes: Sendable {
    /// Whether the site is on https.
    ///
    /// Without it `Secure`, and with it `__Host-`, would be refused by some browsers on
    /// `http://localhost`.
    let isSecure: Bool

    /// `__Host-` makes browsers refuse the cookie from any other host, path or plain connection.
    func name(_ name: String) -> String { isSecure ? "__Host-\(name)" : name }

    /// A cookie that ends with the browser, or after a number of seconds.
    ///
    /// `Lax` and not `Strict`: the redirect back from Entra is a cross-site navigation, and a
    /// strict cookie set on its way is not sent on the next step, which would be a loop.
    func set(_ name: String, _ value: String, seconds: Int? = nil) -> String {
        let cookie = "\(self.name(name))=\(value); Path=/; HttpOnly; SameSite=Lax"
        let secure = isSecure ? "; Secure" : ""
        return cookie + secure + (seconds.map { "; Max-Age=\($0)" } ?? "")
    }

    func delete(_ name: String) -> String { set(name, "", seconds: 0) }
}
