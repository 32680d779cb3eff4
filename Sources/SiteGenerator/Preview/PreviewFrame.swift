import HTTPTypes

/// The pages that nginx and siteauth serve on the published site, in the look of the previewed one.
struct PreviewFrame {
    private let site: PreviewSite
    private let generation: String

    init(_ site: PreviewSite, _ generation: String) {
        self.site = site
        self.generation = generation
    }

    var notFound: PreviewAnswer { get async { await page("errors/404.html", .notFound) } }
    var forbidden: PreviewAnswer { get async { await page("errors/403.html", .forbidden) } }

    /// The page in place of the sign-in and account pages of siteauth.
    func signIn(_ status: HTTPResponse.Status) async -> PreviewAnswer {
        let title = "Sign in"
        let content = """
            <h1>Readers sign in here</h1>
            <p>On the published site, this address asks visitors to sign in, or shows the account \
            of a reader. In a preview, you choose the reader: with <em>View as</em>, or with \
            <code>--as</code>.</p>
            <p><a class="button" href="/">Go to the home page</a></p>
            """
        guard let bytes = try? await site.file(at: "auth/page.html") else {
            return PreviewAnswer(status, text: title)
        }
        let html = String(decoding: bytes, as: UTF8.self)
            .replacing("<!--siteauth:title-->", with: title)
            .replacing("<!--siteauth:content-->", with: content)
        return PreviewAnswer(status, page: Array(html.utf8), generation: generation)
    }

    private func page(_ path: String, _ status: HTTPResponse.Status) async -> PreviewAnswer {
        guard let bytes = try? await site.file(at: path) else {
            return PreviewAnswer(status, text: status.reasonPhrase)
        }
        return PreviewAnswer(status, page: bytes, generation: generation)
    }
}
