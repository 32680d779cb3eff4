import HTTPTypes
import SiteauthConfiguration

/// Callbacks after which the sign-in begins once more by itself, a few times at most.
extension Callback {
    /// Handles a callback whose browser cookie is missing or belongs to another sign-in.
    ///
    /// Tabs that start at the same moment each set a browser cookie, and the last one stays.
    /// Starting the sign-in once more finds the right cookie, and signs in the account that the
    /// provider knows in this browser: the code that an attacker may have planted is not used.
    func otherBrowser(
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        if isSignedIn(request, for: state, at: now) {
            return .redirect(to: configuration.origin + state.returnPath)
        }
        guard state.retries == 0 else {
            return ReaderPage.cookiesBlocked(returnPath: state.returnPath, request)
                .logging(
                    .warning,
                    "callback refused: the browser sent no cookie of this sign-in",
                    as: .signInRefusal
                )
        }
        let browser = signIn.browser(of: request)
        return signIn.begin(
            request,
            browser ?? Browser(id: environment.random(16), at: now),
            returnPath: state.returnPath,
            prompt: state.isRevalidation ? configuration.prompt : state.prompt,
            retries: state.retries + 1,
            setsCookie: browser == nil,
            confirming: context(of: state, request),
            at: now
        )
    }

    /// Handles a callback that comes again, by the Back button or a reload.
    ///
    /// A reader who is signed in goes on to the page. For others the sign-in starts again, which
    /// asks nothing of a reader who is signed in at the provider; the reload discarded the first
    /// answer.
    func repetition(
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        if isSignedIn(request, for: state, at: now) || state.isRevalidation {
            return .redirect(to: configuration.origin + state.returnPath)
                .logging(.notice, "callback repeated", as: .signInRepetition)
        }
        guard state.retries < SignInState.maximumRetries else {
            return refuse(request, "'state' was used before", returnPath: state.returnPath)
        }
        return signIn.begin(
            request,
            signIn.browser(of: request) ?? Browser(id: environment.random(16), at: now),
            returnPath: state.returnPath,
            prompt: state.prompt,
            retries: state.retries + 1,
            setsCookie: false,
            confirming: context(of: state, request),
            at: now
        ).logging(.notice, "callback repeated; the sign-in starts again", as: .signInRepetition)
    }

    /// Whether a provider may confirm a context if the reader has to enter credentials.
    ///
    /// `acr_values` is a wish (OpenID Connect Core 1.0, section 3.1.2.1): a provider where the reader
    /// is signed in may answer without a question, and would do so each time. At Entra, `claims`
    /// demands it.
    func asksAgain(_ state: SignInState) -> Bool {
        state.context != nil && !state.demandsLogin && provider.known?.isEntra == false
    }

    func askForCredentials(
        _ state: SignInState,
        _ request: Request,
        at now: NumericDate
    ) -> Response {
        signIn.begin(
            request,
            signIn.browser(of: request) ?? Browser(id: environment.random(16), at: now),
            returnPath: state.returnPath,
            prompt: SignInState.loginPrompt,
            retries: state.retries,
            setsCookie: false,
            hinting: sessions.live(in: request.cookie, at: now),
            confirming: context(of: state, request),
            at: now
        )
    }
}
