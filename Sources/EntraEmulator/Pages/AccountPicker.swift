/// The list of accounts to sign in with, or to sign out of.
struct AccountPicker: Sendable {
    let title: String
    let detail: String
    /// The URL that the choice is sent to.
    let action: String
    let accounts: [Account]
    /// Accounts that cannot be used, for people who want to see the error.
    var others: [Account] = []
    let signedIn: Set<String>
    let isForSigningIn: Bool

    func response(_ tenant: String) -> EmulatorResponse {
        let elsewhere =
            others.isEmpty
            ? ""
            : """
            <details><summary>Accounts that cannot use this application</summary>
            <ul class="accounts">
            \(others.map(tile).joined(separator: "\n"))
            </ul></details>
            """
        let ways =
            isForSigningIn
            ? """
            <li><button class="other" name="other" value="1">\
            <span class="initial" aria-hidden="true">+</span>\
            <span class="who">Use another account</span></button></li>
            """ : ""
        let cancel =
            isForSigningIn
            ? "<p class=\"actions\"><button name=\"cancel\" value=\"1\">Cancel</button></p>" : ""
        let content = """
            <p>\(Page.escape(detail))</p>
            <form method="post" action="\(Page.escape(action))">
            <ul class="accounts">
            \(accounts.map(tile).joined(separator: "\n"))
            \(ways)
            </ul>
            \(elsewhere)
            \(cancel)
            </form>
            """
        return Page(title: title, content: content).response(tenant)
    }

    private func tile(_ account: Account) -> String {
        let user = account.user
        let state = signedIn.contains(account.id) ? "Signed in" : Self.trait(account)
        let initial = Page.escape(String(user.name.prefix(1)))
        return """
            <li><button name="account" value="\(Page.escape(account.id))">\
            <span class="initial" aria-hidden="true">\(initial)</span>\
            <span class="who"><span class="person" dir="auto">\(Page.escape(user.name))</span>\
            <span class="user-name" dir="auto">\(Page.escape(user.userName))</span></span>\
            <span class="state">\(Page.escape(state))</span></button></li>
            """
    }

    /// What is special about an account, for people who look for a test case.
    private static func trait(_ account: Account) -> String {
        let user = account.user
        if user.isDisabled { return "Disabled" }
        if let number = user.refusedWith { return "AADSTS\(number)" }
        if user.needsSecondFactor { return "Second factor" }
        if user.kind == .guest { return "Guest" }
        if user.groups.count > 200 { return "\(user.groups.count) groups" }
        if account.tenant.kind == .consumers { return "Personal" }
        let groups = account.tenant.groups.filter { user.groups.contains($0.id) }.map(\.name)
        return (user.roles + groups).joined(separator: ", ")
    }
}
