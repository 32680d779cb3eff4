import HTTPTypes

/// The header fields of `nginx/headers.conf`, so that a preview blocks what the published site
/// blocks.
enum SecurityFields {
    /// - Parameter origin: of the preview, whose own scripts are allowed beside the theme's.
    static func fields(origin: String) -> HTTPFields {
        let policy = [
            "default-src 'none'", "style-src 'self'",
            "script-src \(origin)/_theme/ \(origin)\(PreviewRoute.prefix)", "img-src 'self' data:",
            "font-src 'self'", "media-src 'self'", "connect-src 'self'", "form-action 'self'",
            "base-uri 'none'", "frame-ancestors 'none'",
        ]
        var fields = HTTPFields()
        fields[.contentSecurityPolicy] = policy.joined(separator: "; ")
        for (name, value) in others { fields[name] = value }
        // Not stored, because pages and their readers change while the author writes.
        fields[.cacheControl] = "no-store"
        return fields
    }

    private static let others: [(HTTPField.Name, String)] = [
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
}
