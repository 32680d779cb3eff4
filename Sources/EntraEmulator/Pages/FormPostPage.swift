/// Sends an answer as a form (OAuth 2.0 Form Post Response Mode).
struct FormPostPage: Sendable {
    let action: String
    let items: [(String, String)]

    var response: EmulatorResponse {
        let content = """
            <form method="post" action="\(Page.escape(action))">
            \(Page.hidden(items))
            <p class="actions"><button class="primary">Continue</button></p>
            </form>
            """
        return Page(title: "Working …", content: content, script: Asset.submit).response("")
    }
}
