import HTTPTypes

/// The header fields of `nginx/headers.conf`, so that a preview blocks what the published site
/// blocks.
enum SecurityFields {
    /// - Parameters:
    ///   - origin: of the preview, whose own scripts are allowed beside the theme's.
    ///   - type: the content type of the answer.
    static func fields(origin: String, type: String?) -> HTTPFields {
        var fields = HTTPFields()
        fields[.contentSecurityPolicy] = policy(origin: origin, type: type ?? "")
        for (name, value) in others { fields[name] = value }
        // Not stored, because pages and their readers change while the author writes.
        fields[.cacheControl] = "no-store"
        return fields
    }

    /// The policy of `nginx/maps.conf`: a drawing or another file of XML is a document, too.
    private static func policy(origin: String, type: String) -> String {
        if documents.contains(where: type.hasPrefix) {
            return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
                + "base-uri 'none'; frame-ancestors 'none'; sandbox"
        }
        return [
            "default-src 'none'", "style-src 'self'",
            "script-src \(origin)/_theme/ \(origin)\(PreviewRoute.prefix)", "img-src 'self' data:",
            "font-src 'self'", "media-src 'self'", "connect-src 'self'", "form-action 'self'",
            "base-uri 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    private static let documents = [
        "image/svg+xml", "text/xml", "application/atom+xml", "application/rss+xml",
    ]

    private static let others: [(HTTPField.Name, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
