import HTTPTypes

/// The pages for the provider's refusals; ``Refusal`` says which.
extension ReaderPage {
    /// - Parameter isSignedIn: whether the reader only had to confirm a session, which goes on.
    static func refused(
        _ refusal: OAuthErrorResponse,
        isSignedIn: Bool = false,
        returnPath: String,
        _ request: Request
    ) -> Response {
        // 'You were not signed in' would be wrong then.
        let aboutReader: [Refusal] = [.cancelled, .otherAccount, .unfinished]
        let isAboutReader =
            aboutReader.contains(refusal.refusal)
            || (refusal.error == "access_denied" && refusal.number == nil)
        var page = page(of: isSignedIn && isAboutReader ? .moreWanted : refusal.refusal, returnPath)
        // Microsoft's support asks for these ids; the error's text is for the operator only.
        page.facts += refusal.ids.map { (ReaderText($0.name), .identifier($0.value)) }
        return page.response(request)
    }

    /// The page for an account that this site does not admit, whoever found out.
    static func accountNotAdmitted(returnPath: String, _ request: Request) -> Response {
        page(of: .otherAccount, returnPath).response(request)
    }

    /// The page for a reader who has not confirmed what a page demands.
    static func moreWanted(returnPath: String, _ request: Request) -> Response {
        page(of: .moreWanted, returnPath).response(request)
    }

    static func startAgain(returnPath: String, _ request: Request) -> Response {
        page(of: .unfinished, returnPath).response(request)
    }

    private static func page(of refusal: Refusal, _ returnPath: String) -> ReaderPage {
        switch refusal {
        case .cancelled:
            ReaderPage(
                .forbidden,
                title: "You were not signed in",
                "You cancelled the sign-in, or an administrator has to approve this site first.",
                "Try again, or ask your IT department to approve this site.",
                actions: [again("Try again", returnPath)]
            )
        case .blocked:
            ReaderPage(
                .forbidden,
                title: "You were not signed in",
                "Your organisation blocked this sign-in, perhaps because of your location or your device.",
                "Try again, or tell your IT department the numbers below.",
                actions: [again("Try again", returnPath)]
            )
        case .unapproved:
            ReaderPage(
                .forbidden,
                title: "This site is waiting for approval",
                "Your organisation has not approved this site yet.",
                "Please ask your IT department to approve it, and tell them the number below."
            )
        // 'Sign in again' would take the same account again.
        case .otherAccount:
            ReaderPage(
                .forbidden,
                title: "This account cannot be used here",
                "The account that you chose has no access to this site.",
                "If you need access, tell your IT department the number below.",
                actions: [otherAccount(for: returnPath, isMain: true)]
            )
        case .moreWanted:
            ReaderPage(
                .forbidden,
                title: "One more step is needed",
                "Your organisation requires one more step, such as a code from your phone.",
                "Sign in again, and follow the steps on the screen.",
                actions: [again("Sign in again", returnPath)]
            )
        case .unfinished:
            ReaderPage(
                .badRequest,
                title: "Please sign in again",
                "This sign-in could not be finished, perhaps because it took too long or the page was opened twice.",
                "After you sign in, you will get to the page you wanted.",
                actions: [again("Sign in again", returnPath)]
            )
        case .unknownSite:
            ReaderPage(
                .forbidden,
                title: "Your organisation does not know this site",
                "This site is not registered in your organisation, or was disabled there.",
                "Please tell your IT department the number below."
            )
        case .busy:
            ReaderPage(
                .serviceUnavailable,
                title: "The sign-in service is busy",
                "The service that signs you in cannot answer at the moment.",
                "Please try again in a minute; readers who are already signed in can go on reading.",
                actions: [again("Try again", returnPath)]
            )
        // Not 500, which is for faults of this machine: the provider refused.
        case .notSetUp:
            ReaderPage(
                .badGateway,
                title: "Signing in does not work at the moment",
                "This site is not set up correctly at the service that signs you in.",
                "Please tell your IT department the number below."
            )
        }
    }
}
