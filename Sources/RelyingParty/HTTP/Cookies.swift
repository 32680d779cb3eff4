import HTTPTypes

/// The cookies of a request, and how ours are set (RFC 6265).
struct Cookies: Sendable {
    /// More of one name than this are not from us.
    private static let maximumOfOneName = 4
    private static let maximumLength = 64 << 10

    /// The values of all cookies of that name; a page on a neighbouring host may have added one.
    static func values(named name: String, in fields: HTTPFields) -> [Substring] {
        guard let header = fields[.cookie], header.utf8.count <= maximumLength else { return [] }
        var values: [Substring] = []
        for pair in header.split(separator: ";") {
            let pair = pair.drop { $0 == " " || $0 == "\t" }
            guard pair.utf8.count > name.utf8.count, pair.hasPrefix(name) else { continue }
            let rest = pair.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            values.append(rest.dropFirst().trimmingTrailingSpaces)
            if values.count > maximumOfOneName { return [] }
        }
        return values
    }
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

    /// A cookie that ends with the browser.
    ///
    /// `Lax` and not `Strict`: the redirect back from Entra is a cross-site navigation, and a
    /// strict cookie set on its way is not sent on the next step, which would be a loop.
    func set(_ name: String, _ value: String) -> String {
        "\(self.name(name))=\(value); Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
    }

    func delete(_ name: String) -> String { set(name, "") + "; Max-Age=0" }
}

extension Substring {
    fileprivate var trimmingTrailingSpaces: Substring {
        var text = self
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
