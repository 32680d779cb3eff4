/// The page that confirms signing out, calls the front-channel logout URLs, and continues.
struct SignedOutPage: Sendable {
    /// The front-channel logout URLs to call, with their `sid`.
    let told: [String]
    /// The URL of the link to continue.
    let onward: String?

    var response: EmulatorResponse {
        let frames = told.map { url in
            "<iframe src=\"\(Page.escape(url))\" title=\"Sign-out of an application\"></iframe>"
        }
        let link =
            onward.map { "<p><a class=\"onward\" href=\"\(Page.escape($0))\">Continue</a></p>" }
            ?? "<p>You may close this window.</p>"
        let content = """
            <p class="state" role="status">\(told.isEmpty ? "" : "Notifying the applications …")</p>
            \(frames.joined(separator: "\n"))
            \(link)
            """
        return Page(
            title: "You signed out of your account",
            content: content,
            script: told.isEmpty ? nil : Asset.signOut,
            frames: Array(Set(told.compactMap(Self.origin))).sorted()
        ).response("")
    }

    /// The origin of a URL, for the Content-Security-Policy.
    private static func origin(_ url: String) -> String? {
        guard url.hasPrefix("https://") else { return nil }
        let authority = url.dropFirst(8).prefix { !"/?#;, ".contains($0) }
        return "https://\(authority)"
    }
}
