import HTTPTypes

/// The pages that nginx and siteauth serve on the published site, in the look of the release.
struct PreviewFrame {
    private let release: PreviewRelease
    private let generation: String

    init(_ release: PreviewRelease, _ generation: String) {
        self.release = release
        self.generation = generation
    }

    var notFound: PreviewAnswer { page("/errors/404.html", .notFound) }
    var forbidden: PreviewAnswer { page("/errors/403.html", .forbidden) }

    /// The page in place of the sign-in and account pages of siteauth.
    func signIn(_ status: HTTPResponse.Status) -> PreviewAnswer {
        let title = "Sign in"
        let content = """
            <h1>Readers sign in here</h1>
            <p>On the published site, this address asks visitors to sign in, or shows the account \
            of a reader. In a preview, you choose the reader: with <em>View as</em>, or with \
            <code>--as</code>.</p>
            <p><a class="button" href="/">Go to the home page</a></p>
            """
        guard case .file(let bytes) = release.find("/auth/page.html") else {
            return PreviewAnswer(status, text: title)
        }
        let html = String(decoding: bytes, as: UTF8.self)
            .replacing("<!--siteauth:title-->", with: title)
            .replacing("<!--siteauth:content-->", with: content)
        return PreviewAnswer(status, page: Array(html.utf8), generation: generation)
    }

    private func page(_ path: String, _ status: HTTPResponse.Status) -> PreviewAnswer {
        guard case .file(let bytes) = release.find(path) else {
            return PreviewAnswer(status, text: status.reasonPhrase)
        }
        return PreviewAnswer(status, page: bytes, generation: generation)
    }
}
