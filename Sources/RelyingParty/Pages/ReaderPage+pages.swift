import Access
import HTTPTypes
import SiteauthConfiguration

/// The pages that siteauth shows, except the provider's refusals.
///
/// Each page has at most two sentences, in words for people who do not know what a token is. The
/// log has the details under the reference number.
extension ReaderPage {
    /// - Parameter returnPath: `nil` for an address that no sign-in can carry, where browsers stay.
    static func forbidden(
        _ session: Session?,
        returnPath: String?,
        _ request: Request
    ) -> Response {
        let name = session?.name ?? ""
        let named = ReaderText(
            "You are signed in as {{name}}, but you have no access to this page.",
            ["name": name]
        )
        return ReaderPage(
            .forbidden,
            title: "You may not open this page",
            name.isEmpty ? "You are signed in, but you have no access to this page." : named,
            "If you need access, tell your IT department the number below.",
            actions: [
                .link("Go to the home page", to: "/", isMain: true),
                returnPath.map { otherAccount(for: $0, isMain: false) }
                    ?? .newTab("Use another account", to: otherAccountURL("/auth/account")),
            ]
        ).response(request)
    }

    /// The page for a reader who may read a page that cannot be recorded as opened.
    static let auditFails = ReaderPage(
        .serviceUnavailable,
        title: "This site is not fully set up",
        "Please tell your IT department the number below.",
        actions: [.link("Go to the home page", to: "/", isMain: true)]
    )

    /// Lets the reader choose another account at the provider.
    static func otherAccount(for returnPath: String, isMain: Bool) -> Action {
        .link("Use another account", to: otherAccountURL(returnPath), isMain: isMain)
    }

    private static func otherAccountURL(_ returnPath: String) -> String {
        "/auth/sign-in?account=other&return=\(PercentEncoding.encode(returnPath))"
    }

    /// The sign-in page, shown before a reader is sent to the provider.
    ///
    /// The theme's script adds the part of the address behind `#`, which no server sees.
    ///
    /// - Parameter returnPath: `nil` for an address that no sign-in can carry.
    static func signIn(returnPath: String?, _ request: Request) -> Response {
        var page = ReaderPage(
            .unauthorized,
            title: "This site is private",
            "Sign in with your organisation's account to read this page.",
            actions: [signInFromNewTab],
            showsReference: false
        )
        if let returnPath {
            let url = "/auth/sign-in?return=\(PercentEncoding.encode(returnPath))"
            let signIn = Action.link("Sign in", to: url, isMain: true)
            page.actions = [signIn, otherAccount(for: returnPath, isMain: false)]
        } else {
            page.sentences.append("Sign in from a new tab, then reload this tab.")
        }
        return page.response(request)
    }

    /// Asks the provider even if there is a session, because that session did not suffice here.
    private static var signInFromNewTab: Action {
        .newTab("Sign in from a new tab", to: "/auth/sign-in?again=always&return=/auth/account")
    }

    /// The page for a form that arrives without a session.
    ///
    /// The form is not stored until the reader has signed in. Stored on the server, strangers'
    /// forms could fill the disk. Stored in hidden fields of this page, a form that another site
    /// made the browser send would be sent again by a page of this site, and pass every protection
    /// that an application has against that. The browser still has the form.
    static let formNotSent = ReaderPage(
        .unauthorized,
        title: "Nothing was saved",
        "You are no longer signed in, so this site did not receive what you sent.",
        "Sign in from a new tab, then reload this tab to send it again, or go back to what you typed.",
        actions: [signInFromNewTab],
        showsReference: false
    )

    static func cookiesBlocked(returnPath: String, _ request: Request) -> Response {
        ReaderPage(
            .badRequest,
            title: "Your browser blocks this site's cookies",
            "Signing in needs one cookie that lasts until you close the browser.",
            "Allow cookies for this site, or open it in another browser, and try again.",
            actions: [again("Try again", returnPath)]
        ).response(request)
    }

    /// - Parameters:
    ///   - session: the reader's, if there is one.
    ///   - keepsCookies: whether the browser has sent along a session of the last minutes.
    static func loop(
        of session: Session?,
        keepsCookies: Bool,
        returnPath: String,
        _ request: Request
    ) -> Response {
        ReaderPage(
            .badRequest,
            title: "Signing in keeps starting over",
            "You were signed in several times within two minutes, but the sign-in was lost each time.",
            keepsCookies
                ? "Please try again in a minute; if this page comes back, tell your IT department the number below."
                : "Allow cookies for this site; if this page comes back, tell your IT department the number below.",
            actions: [again("Try once more", returnPath)]
        ).response(request)
            .logging(
                .warning,
                keepsCookies
                    ? "sign-in stopped: several sign-ins within two minutes; the browser keeps the"
                        + " session, but it does not open this page"
                    : "sign-in stopped: three sign-ins within two minutes, and the browser does not"
                        + " send the last session",
                about: Event.Subject(session)
            )
    }

    static func providerUnreachable(returnPath: String, _ request: Request) -> Response {
        tryAgain(
            "The sign-in service cannot be reached",
            "This site cannot reach the service that signs you in.",
            returnPath,
            request
        )
    }

    static func crowded(returnPath: String, _ request: Request) -> Response {
        tryAgain(
            "This site is busy",
            "Too many people are signing in right now.",
            returnPath,
            request
        )
    }

    /// A page for problems that pass by themselves.
    private static func tryAgain(
        _ title: ReaderText,
        _ sentence: ReaderText,
        _ returnPath: String,
        _ request: Request
    ) -> Response {
        ReaderPage(
            .serviceUnavailable,
            title: title,
            sentence,
            "Please try again in a minute; readers who are already signed in can go on reading.",
            actions: [again("Try again", returnPath)]
        ).response(request)
    }

    static func providerAnswerUnusable(returnPath: String, _ request: Request) -> Response {
        ReaderPage(
            .badGateway,
            title: "Signing in did not work",
            "The service that signs you in gave an answer that this site does not accept.",
            "Please try again in a minute; if this page comes back, tell your IT department the number below.",
            actions: [again("Try again", returnPath)]
        ).response(request)
    }

    /// The page for a provider that did not answer, or whose answer cannot be used.
    static func providerFailure(
        _ error: ProviderError,
        returnPath: String,
        _ request: Request
    ) -> Response {
        error.isAboutAnswer
            ? providerAnswerUnusable(returnPath: returnPath, request)
            : providerUnreachable(returnPath: returnPath, request)
    }

    /// The page for faults of this machine, never for an answer of the provider.
    static let configurationProblem = ReaderPage(
        .internalServerError,
        title: "This site is not fully set up",
        "Signing in does not work, because this site's configuration has a mistake.",
        "Please tell your IT department the number below."
    )

    static let sessionTooLarge = ReaderPage(
        .forbidden,
        title: "You are in too many of this site's groups",
        "The list of your groups does not fit into a cookie, so this site cannot sign you in.",
        "Please tell your IT department the number below."
    )

    static let tooManyGroups = ReaderPage(
        .forbidden,
        title: "This site cannot find out your groups",
        "You are in so many groups that Microsoft does not list them, so this site does not know what you may read.",
        "Please tell your IT department the number below."
    )

    static func confirmSignOut(
        token: String?,
        _ settings: SessionSettings,
        _ request: Request
    ) -> Response {
        guard let token else {
            return ReaderPage(
                .ok,
                title: "You are not signed in",
                "There is nothing to sign out of.",
                actions: [.link("Go to the home page", to: "/", isMain: true)],
                showsReference: false
            ).response(request)
        }
        return ReaderPage(
            .ok,
            title: "Sign out?",
            settings.signOut == .everywhere
                ? "You will be signed out of this site and of your organisation's account in this browser."
                : "You will be signed out of this site, but not of your organisation's account in this browser.",
            actions: [
                .signOut(token: token, isMain: true),
                .link("Stay signed in", to: "/", isMain: false),
            ],
            showsReference: false
        ).response(request)
    }

    static func signedOut(_ settings: SessionSettings, _ request: Request) -> Response {
        // While the reader is still signed in at Microsoft, Microsoft would sign them in again
        // without a question.
        let account = settings.signOut == .here ? "&account=other" : ""
        return ReaderPage(
            .ok,
            title: "You are signed out",
            "If other people use this computer, also close the browser.",
            actions: [.link("Sign in again", to: "/auth/sign-in?return=/\(account)", isMain: true)],
            showsReference: false
        ).response(request)
    }

    static let signOutIncomplete = ReaderPage(
        .internalServerError,
        title: "You are signed out in this browser only",
        "This site could not record that your session has ended.",
        "Please tell your IT department the number below."
    )

    /// - Parameters:
    ///   - session: with the groups that count now.
    ///   - unconfirmed: the groups that demand more of the reader first.
    ///   - confirmedUntil: when the first group will demand something again.
    static func account(
        _ session: Session,
        until: NumericDate,
        unconfirmed: [String],
        confirmedUntil: NumericDate?,
        token: String,
        _ request: Request
    ) -> Response {
        let steps: [(name: ReaderText, value: Value)] =
            (unconfirmed.isEmpty ? [] : [("One more step is needed", .groups(unconfirmed))])
            + (confirmedUntil.map { [("Confirmed until", .time($0))] } ?? [])
        return ReaderPage(
            .ok,
            title: "Your account",
            facts: [
                ("Name", session.name.isEmpty ? .text("(none)") : .verbatim(session.name)),
                ("Groups", session.groups.isEmpty ? .text("(none)") : .groups(session.groups)),
            ] + steps + [
                ("Signed in since", .time(session.startedAt)),
                ("Session ends", .time(until)),
            ],
            details: Details(
                sentences: [
                    "Your session holds these details, identifiers for signing out, and the times of its last checks.",
                    "A program of yours can fetch what you may read if it sends this browser's session cookie.",
                ],
                facts: [
                    ("Organisation", .identifier(session.tenantID)),
                    ("Account", .identifier(session.objectID)),
                ]
            ),
            actions: [
                .link("Go to the home page", to: "/", isMain: true),
                .signOut(token: token, isMain: false),
            ],
            showsReference: false
        ).response(request)
    }

    static func again(_ text: ReaderText, _ returnPath: String) -> Action {
        let path = PercentEncoding.encode(returnPath)
        return .link(text, to: "/auth/sign-in?again=yes&return=\(path)", isMain: true)
    }
}
