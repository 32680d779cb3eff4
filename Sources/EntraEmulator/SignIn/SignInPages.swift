/// The pages on the way to an application.
struct SignInPages: Sendable {
    /// The URL that choices are sent to: the authorization request.
    let action: String
    let journey: SignInJourney
    let directory: Directory

    private var application: Application { journey.application }
    private var tenantName: String { journey.authority.tenant?.name ?? "" }

    func page(for question: SignInJourney.Question) -> EmulatorResponse {
        switch question {
        case .pick: picker()
        case .enter(let problem): userName(problem)
        case .prove(let account, let problem): password(account, problem)
        case .approve(let account): secondFactor(account)
        case .consent(let account): consent(account)
        case .needsAdmin(let account): adminApproval(account)
        }
    }

    private func picker() -> EmulatorResponse {
        let accounts = journey.accounts
        let own = Set(accounts.map(\.id))
        let others = directory.accounts.filter { !own.contains($0.id) }
        return AccountPicker(
            title: "Pick an account",
            detail: "to sign in to \(application.name)",
            action: action,
            accounts: accounts,
            others: others,
            signedIn: Set(journey.signedIn.map(\.id)),
            isForSigningIn: true
        ).response(tenantName)
    }

    private func userName(_ problem: String?) -> EmulatorResponse {
        let hint = journey.choice.userName ?? ""
        let content = """
            <p>to sign in to \(Page.escape(application.name))</p>
            \(Self.problem(problem))
            <form method="post" action="\(Page.escape(action))">
            <p class="fields"><label>User name
            <input name="user_name" type="text" required autofocus autocomplete="off"
            autocapitalize="none" spellcheck="false" value="\(Page.escape(hint))"></label></p>
            <p class="actions"><button name="cancel" value="1" formnovalidate>Back</button>
            <button class="primary">Next</button></p>
            </form>
            """
        return Page(title: "Sign in", content: content).response(tenantName)
    }

    private func password(_ account: Account, _ problem: String?) -> EmulatorResponse {
        var choice = journey.choice
        choice.password = nil
        let content = """
            <p dir="auto">\(Page.escape(account.user.userName))</p>
            \(Self.problem(problem))
            <form method="post" action="\(Page.escape(action))">
            \(Page.hidden(choice.fields(for: account)))
            <p class="fields"><label>Password
            <input name="password" type="password" value="anything" required autofocus
            autocomplete="off"></label></p>
            <p class="note">Every password is accepted except <code>wrong</code>.</p>
            <p class="actions"><button name="cancel" value="1" formnovalidate>Back</button>
            <button class="primary">Sign in</button></p>
            </form>
            """
        return Page(title: "Enter password", content: content).response(tenantName)
    }

    private func secondFactor(_ account: Account) -> EmulatorResponse {
        let content = """
            <p dir="auto">\(Page.escape(account.user.userName))</p>
            <p>The organization requires a second factor. Here, no telephone is needed: approve the \
            sign-in with the button.</p>
            <form method="post" action="\(Page.escape(action))">
            \(Page.hidden(journey.choice.fields(for: account)))
            <p class="actions"><button name="cancel" value="1">Deny</button>
            <button class="primary" name="approved" value="1">Approve</button></p>
            </form>
            """
        return Page(title: "Approve sign-in", content: content).response(tenantName)
    }

    private func consent(_ account: Account) -> EmulatorResponse {
        ConsentPage(
            application: application,
            scopes: journey.scopes,
            action: action,
            fields: journey.choice.fields(for: account),
            isForEverybody: false
        ).response(account.tenant.name)
    }

    /// Asks for confirmation, because a stranger may have talked the user into typing a code.
    func confirmation(_ account: Account) -> EmulatorResponse {
        let content = """
            <p dir="auto">\(Page.escape(account.user.userName))</p>
            <p>Are you trying to sign in to <strong>\(Page.escape(application.name))</strong> on \
            another device or in another window? Continue only if you started that sign-in.</p>
            <form method="post" action="\(Page.escape(action))">
            \(Page.hidden(journey.choice.fields(for: account)))
            <p class="actions"><button name="cancel" value="1">Cancel</button>
            <button class="primary" name="confirmed" value="1">Continue</button></p>
            </form>
            """
        return Page(title: "Confirm sign-in", content: content).response(account.tenant.name)
    }

    private func adminApproval(_ account: Account) -> EmulatorResponse {
        let content = """
            <p dir="auto">\(Page.escape(account.user.userName))</p>
            <p><strong>\(Page.escape(application.name))</strong> asks for permissions that only an \
            administrator can grant. Ask an administrator to grant them, then try again.</p>
            <form method="post" action="\(Page.escape(action))">
            <p class="actions"><button class="primary" name="cancel" value="1">Return to the \
            application without granting consent</button></p>
            </form>
            """
        return Page(title: "Need admin approval", content: content).response(account.tenant.name)
    }

    static func problem(_ text: String?) -> String {
        text.map { "<p class=\"problem\" role=\"alert\">\(Page.escape($0))</p>" } ?? ""
    }
}
