/// What nginx asks about, before it serves a file or asks an application.
struct CheckQuestion: Sendable {
    /// What nginx is about to serve, decoded: `$uri`.
    let path: String?
    /// The folder that nginx is about to serve from.
    let release: String?
    /// The browser's `Cookie` header field.
    let cookie: String?
    /// What the browser says of the request's purpose.
    let fetch: FetchMetadata
}
