/// Decides the next step of a sign-in.
struct SignInJourney: Sendable {
    enum Step: Sendable {
        /// Refuse the sign-in; the error says whether the application is told.
        case refuse(ProtocolError)
        case ask(Question)
        case finish(Account)
    }

    /// What a page asks for.
    enum Question: Sendable {
        /// Which account.
        case pick
        /// A user name; the text says what was wrong with the last one.
        case enter(String?)
        /// The password; the text says what was wrong with the last one.
        case prove(Account, String?)
        /// The second factor.
        case approve(Account)
        /// Consent.
        case consent(Account)
        /// Consent that an administrator must give first.
        case needsAdmin(Account)
    }

    let emulator: Emulator
    let authority: Authority
    let application: Application
    /// The application's parameters for the sign-in: `prompt`, `login_hint` and the like.
    let wishes: QueryItems
    let scopes: [String]
    let choice: Choice
    let session: BrowserSessions.Session?

    private var prompt: String? { wishes["prompt"] }

    var step: Step {
        if choice.isCancelled { return .refuse(Self.cancelled) }
        if prompt == "none" { return silent }
        if let name = choice.userName {
            let account = accounts.first { $0.user.userName.lowercased() == name.lowercased() }
            guard let account else {
                return .ask(.enter("There is no account '\(name)' for this application."))
            }
            return step(for: account)
        }
        if let id = choice.account {
            guard let account = emulator.directory.account(id) else { return .ask(.pick) }
            return step(for: account)
        }
        if choice.wantsOther { return .ask(.enter(nil)) }
        return automatic
    }

    /// The accounts that authority and `domain_hint` allow.
    var accounts: [Account] {
        let hint = wishes["domain_hint"]?.lowercased()
        return emulator.directory.accounts.filter { account in
            guard authority.admits(account.tenant),
                account.tenant.kind != .consumers || application.audience.takesPersonal
            else { return false }
            switch hint {
            case nil: return true
            case "organizations": return account.tenant.kind != .consumers
            case "consumers": return account.tenant.kind == .consumers
            case .some(let domain):
                return account.tenant.domains.contains(domain) || !isDomain(domain)
            }
        }
    }

    /// The allowed accounts that are signed in in this browser.
    var signedIn: [Account] {
        accounts.filter { session?.account($0.id) != nil }
    }

    private func isDomain(_ hint: String) -> Bool {
        emulator.directory.tenants.contains { $0.domains.contains(hint) }
    }

    /// The step before any choice: a single session continues by itself, unless the request asks
    /// for a choice.
    private var automatic: Step {
        if prompt == "select_account" { return .ask(.pick) }
        if let hinted { return step(for: hinted) }
        if prompt == "login" { return .ask(.pick) }
        return signedIn.count == 1 ? step(for: signedIn[0]) : .ask(.pick)
    }

    /// The account that `login_hint` names.
    private var hinted: Account? {
        guard let hint = wishes["login_hint"] else { return nil }
        return accounts.first {
            $0.user.loginHint == hint || $0.user.userName.lowercased() == hint.lowercased()
        }
    }

    private func step(for account: Account) -> Step {
        if let refusal = refusal(account) { return .refuse(refusal) }
        if choice.password != nil || needsPassword(account) {
            guard let password = choice.password else { return .ask(.prove(account, nil)) }
            if password == "wrong" {
                return .ask(.prove(account, "AADSTS50126: The password is wrong."))
            }
        }
        let hasFactor = choice.isApproved || session?.account(account.id)?.hasSecondFactor == true
        let policies = wishes.requestedContexts.compactMap { account.tenant.contexts[$0] }
        if policies.contains(.blocked) { return .refuse(Self.blocked) }
        let needsFactor = account.user.needsSecondFactor || policies.contains(.secondFactor)
        if needsFactor, !hasFactor { return .ask(.approve(account)) }
        switch consentNeeded(account) {
        case .granted: return .finish(account)
        case .user: return .ask(.consent(account))
        case .admin: return .ask(.needsAdmin(account))
        }
    }

    /// Whether the password is asked for: a click in the picker signs in, a typed or hinted name
    /// must be proven.
    private func needsPassword(_ account: Account) -> Bool {
        if prompt == "login" || isTooOld(account) { return true }
        if session?.account(account.id) != nil { return false }
        return account.tenant.asksPassword || choice.account == nil
    }

    /// `max_age` is not documented by Microsoft, and works.
    private func isTooOld(_ account: Account) -> Bool {
        guard let maximum = wishes["max_age"].flatMap(Int.init) else { return false }
        guard let since = session?.account(account.id)?.authenticatedAt else { return false }
        return emulator.now() - since >= maximum
    }

    private func consentNeeded(_ account: Account) -> Application.Consent {
        let has = emulator.consents.has
        if prompt == "consent", !choice.hasConsented { return .user }
        if choice.hasConsented && application.consent != .admin { return .granted }
        let isGiven =
            has(application.clientID, account.id) || has(application.clientID, account.tenant.id)
        return isGiven ? .granted : application.consent
    }

    /// Why Entra refuses an account, whatever the person enters.
    private func refusal(_ account: Account) -> ProtocolError? {
        if !accounts.contains(where: { $0.id == account.id }) {
            return ProtocolError(
                "interaction_required",
                50020,
                "The account '\(account.user.userName)' of '\(account.tenant.name)' does not exist"
                    + " in '\(authority.segment)', and cannot use '\(application.name)'.",
                isRedirected: false
            )
        }
        if account.user.isDisabled { return ProtocolError.catalogued(50057) }
        if let number = account.user.refusedWith { return ProtocolError.catalogued(number) }
        if application.isAssignmentRequired,
            !application.isAssigned(account.user, groups: account.tenant.groups)
        {
            return ProtocolError.catalogued(50105)
        }
        return nil
    }

    /// The step for `prompt=none`: nothing is asked, and the application is told every error.
    private var silent: Step {
        let candidates = hinted.map { [$0] } ?? signedIn
        guard let account = candidates.first, session?.account(account.id) != nil else {
            return told(50058)
        }
        guard candidates.count == 1 else {
            return .refuse(
                ProtocolError(
                    "interaction_required",
                    16000,
                    "Several accounts are signed in, and a silent request cannot ask which to use."
                )
            )
        }
        switch step(for: account) {
        case .finish(let account): return .finish(account)
        case .refuse(let error):
            var error = error
            error.isRedirected = true
            return .refuse(error.number == 50057 ? Self.loginRequired(error) : error)
        case .ask(.approve): return told(50076)
        case .ask(.consent), .ask(.needsAdmin): return told(65001)
        case .ask: return told(50058)
        }
    }

    private func told(_ number: Int) -> Step {
        .refuse(ProtocolError.catalogued(number) ?? Self.cancelled)
    }

    private static func loginRequired(_ error: ProtocolError) -> ProtocolError {
        ProtocolError("login_required", error.number, error.message)
    }

    private static let blocked = ProtocolError.catalogued(53003) ?? cancelled

    private static let cancelled = ProtocolError(
        "access_denied",
        65004,
        "The user did not consent to the application.",
        subcode: "cancel"
    )
}
