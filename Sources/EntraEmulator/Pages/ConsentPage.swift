/// The page that asks for consent.
struct ConsentPage: Sendable {
    let application: Application
    let scopes: [String]
    let action: String
    /// The hidden fields.
    let fields: [(String, String)]
    /// Whether an administrator consents for a whole tenant.
    let isForEverybody: Bool

    func response(_ tenant: String) -> EmulatorResponse {
        let permissions = (scopes.isEmpty ? ["User.Read"] : scopes).map { scope in
            let name = scope.split(separator: "/").last.map(String.init) ?? scope
            let meaning = Self.meanings[scope] ?? "Use \(name)"
            return "<li>\(Page.escape(meaning)) <small>\(Page.escape(scope))</small></li>"
        }
        let whom = isForEverybody ? "for everybody in the organization" : "for you"
        let content = """
            <p><strong>\(Page.escape(application.name))</strong> asks \(whom) to:</p>
            <ul class="permissions">
            \(permissions.joined(separator: "\n"))
            </ul>
            <form method="post" action="\(Page.escape(action))">
            \(Page.hidden(fields))
            <p class="actions"><button name="cancel" value="1">Cancel</button>
            <button class="primary" name="consent" value="accept">Accept</button></p>
            </form>
            """
        return Page(title: "Permissions requested", content: content).response(tenant)
    }

    private static let meanings = [
        "openid": "Sign you in",
        "profile": "See your name and user name",
        "email": "See your e-mail address",
        "offline_access": "Keep access while you are away",
        "User.Read": "Read your profile",
        "GroupMember.Read.All": "Read the groups you are in",
    ]
}
