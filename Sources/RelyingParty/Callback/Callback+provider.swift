import Access
import HTTPTypes
import MicrosoftGraph
import SiteauthConfiguration

/// A browser that comes back from the provider with a code, after every check that needs no provider.
struct Arrival: Sendable {
    let answer: AuthorizationResponse.Code
    /// The state that this site made, for this browser.
    let state: SignInState
    let secrets: SignInSecrets
    let browser: Browser
    /// The policy of the release that the browser reads.
    let policy: AccessPolicy
    let request: Request
}

/// The person whom the provider has identified.
struct SignedInUser: Sendable {
    let identity: VerifiedIDToken
    let profile: ReaderProfile
    let membership: GroupMembership
    /// The ID token as it was sent.
    ///
    /// It is stored only for `id_token_hint`.
    let idToken: String
}

/// The calls to the provider for a reader who returns with a code.
extension Callback {
    /// Redeems the code, and returns the user whom the provider names.
    func user(_ arrival: Arrival, at now: NumericDate) throws -> SignedInUser {
        let (identity, tokens) = try identify(arrival, at: now)
        let profile = try profile(of: identity, in: arrival.policy, tokens.accessToken)
        return SignedInUser(
            identity: identity,
            profile: profile,
            membership: try membership(of: identity, profile, in: arrival.policy, tokens),
            idToken: tokens.idToken
        )
    }

    /// The name and groups of a reader: from the ID token at Entra, elsewhere from UserInfo as
    /// well.
    private func profile(
        of identity: VerifiedIDToken,
        in policy: AccessPolicy,
        _ accessToken: String?
    ) throws -> ReaderProfile {
        let metadata = try provider.current().metadata
        guard !metadata.isEntra else { return ReaderProfile(ofEntra: identity.token) }
        return try ReaderProfile(
            identity.token,
            groupsIn: ClaimName(text: configuration.provider.groupsClaim),
            needsGroups: policy.groups.contains { !$0.groups.isEmpty },
            asking: metadata.userInfoEndpoint.map { endpoint in
                UserInfo(
                    environment: environment,
                    endpoint: endpoint,
                    accessToken: accessToken ?? ""
                )
            }
        )
    }

    /// The site's groups that a reader is in, from the token, or from Graph if the token has no
    /// room for the groups.
    private func membership(
        of identity: VerifiedIDToken,
        _ profile: ReaderProfile,
        in policy: AccessPolicy,
        _ tokens: TokenExchange.Tokens
    ) throws -> GroupMembership {
        let metadata = try provider.current().metadata
        let rolesCount =
            !metadata.isForSeveralTenants || configuration.roleTenants.contains(identity.tenantID)
        let isOnlyTenant =
            !metadata.isForSeveralTenants || configuration.allowedTenants.isOneTenant
        let membership = GroupMembership(
            identity,
            in: policy.groups,
            profile: profile,
            rolesCount: rolesCount,
            isOnlyTenant: isOnlyTenant
        )
        guard membership == .unknown, configuration.asksGraph else { return membership }
        guard let accessToken = tokens.accessToken, let origin = metadata.graph else {
            throw GraphFailure.failed("the discovery document has no 'msgraph_host'")
        }
        var graph = GraphClient(at: origin, readersToken: accessToken, send: environment.send)
        let asked = Set(policy.groups.flatMap(\.groups).map { $0.lowercased() }).sorted()
        return GroupMembership(
            identity,
            in: policy.groups,
            resolved: try graph.membership(of: asked),
            rolesCount: rolesCount,
            isOnlyTenant: isOnlyTenant
        )
    }

    /// The session for a reader, new or renewed.
    func session(
        of user: SignedInUser,
        _ groups: Set<String>,
        _ arrival: Arrival,
        renewing known: Session?,
        at now: NumericDate
    ) -> Session {
        let identity = user.identity
        return Session(
            // A revalidated session keeps its id, so that signing out also ends older copies of the
            // cookie.
            id: known?.id ?? environment.random(16),
            tenant: CompactText(identity.tenantID),
            object: CompactText(identity.objectID),
            name: user.profile.name,
            groupList: groups.sorted().joined(separator: ","),
            groupsDigest: arrival.policy.groupsDigest,
            // Entra sends the `sid` also as `session_state`, even if the claim `sid` is not
            // configured.
            providerSession: CompactText(
                identity.token.sessionID.map { DisplayText.guid($0) ?? $0 }
                    ?? arrival.answer.sessionState.flatMap(DisplayText.guid) ?? ""
            ),
            loginHint: identity.token.loginHint ?? "",
            startedAt: known?.startedAt ?? now,
            seenAt: now,
            verifiedAt: now,
            postponedAt: known?.startedAt ?? now,
            confirmations: confirmations(of: identity, arrival, renewing: known, at: now)
        )
    }

    /// What the reader has confirmed: now, and before in the same browser.
    private func confirmations(
        of identity: VerifiedIDToken,
        _ arrival: Arrival,
        renewing known: Session?,
        at now: NumericDate
    ) -> [Session.Confirmation] {
        let former = known ?? sessions.live(in: arrival.request.cookie, at: now)
        let isSame = former.map { isSameReader($0, identity) } ?? false
        let (policy, asked) = (arrival.policy, arrival.state.context)
        var confirmations = (isSame ? former?.confirmations ?? [] : []).filter { earlier in
            earlier.context != asked
                && policy.contexts.values.contains { context in
                    context.name == earlier.context
                        && former?.hasConfirmed(context, at: now) == true
                }
        }
        if let context = asked.flatMap(policy.context(named:)) {
            // Elsewhere than at Entra, the reader may have confirmed it before the question.
            let date = provider.known?.isEntra == false ? identity.token.authenticatedAt : nil
            confirmations.append(.init(context: context.name, date: min(date ?? now, now)))
        }
        return confirmations
    }

    /// Adds the cookie with the ID token for signing out, if `secrets.toml` asks for it.
    func hinting(
        _ idToken: String,
        of session: Session,
        _ response: Response,
        at now: NumericDate
    ) -> Response {
        guard configuration.provider.sendsIDTokenHint, provider.known?.isEntra == false,
            response.http.status == .seeOther
        else { return response }
        let hint = IDTokenHint(keys: keys, attributes: sessions.attributes)
        let seconds = sessions.cookieSeconds(for: session, at: now)
        guard let cookie = hint.cookie(idToken, of: session, seconds: seconds) else {
            let length = idToken.utf8.count
            return response.logging(
                .notice,
                "the ID token has \(length) characters and does not fit into a cookie; the reader"
                    + " will sign out without 'id_token_hint'"
            )
        }
        var response = response
        response.setCookie(cookie)
        return response
    }
}
