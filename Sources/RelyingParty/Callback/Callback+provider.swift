import Access
import HTTPTypes

/// Whom the provider has named.
struct Reader: Sendable {
    let identity: VerifiedIDToken
    let profile: ReaderProfile
    let membership: GroupMembership
    /// As it came; kept nowhere, unless it is wanted for signing out.
    let idToken: String
}

/// What the provider is asked about a reader who comes back with a code.
extension Callback {
    /// Asks the provider who comes back with a code.
    func reader(
        _ answer: AuthorizationResponse.Code,
        _ state: SignInState,
        _ secrets: SignInSecrets,
        _ request: Request,
        in policy: AccessPolicy,
        at now: NumericDate
    ) throws -> Reader {
        let (identity, tokens) = try identify(answer, state, secrets, request, at: now)
        let profile = try profile(of: identity, in: policy, tokens.accessToken)
        return Reader(
            identity: identity,
            profile: profile,
            membership: try membership(of: identity, profile, in: policy, tokens),
            idToken: tokens.idToken
        )
    }

    /// Name and groups of a reader, from the ID token or from UserInfo; Entra's tokens have both.
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

    /// The site's groups that somebody is in, from the token, or from Graph where that has no room.
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
            throw GraphGroups.Failure.unreachable("the discovery document has no 'msgraph_host'")
        }
        let graph = GraphGroups(
            environment: environment,
            origin: origin,
            accessToken: accessToken
        )
        let asked = Set(policy.groups.flatMap(\.groups).map { $0.lowercased() }).sorted()
        return GroupMembership(
            identity,
            in: policy.groups,
            resolved: try graph.membership(of: asked),
            rolesCount: rolesCount,
            isOnlyTenant: isOnlyTenant
        )
    }

    /// What is known of a reader from now on.
    func session(
        of reader: Reader,
        _ groups: Set<String>,
        _ policy: AccessPolicy,
        _ sessionState: String?,
        renewing known: Session?,
        at now: NumericDate
    ) -> Session {
        let identity = reader.identity
        return Session(
            // The same as before for Entra's renewed word, so that signing out ends its copies too.
            id: known?.id ?? environment.random(16),
            tenant: CompactText(identity.tenantID),
            object: CompactText(identity.objectID),
            name: reader.profile.name,
            groupList: groups.sorted().joined(separator: ","),
            groupsDigest: policy.groupsDigest,
            // Entra sends the same value as `session_state`, even where `sid` is not configured.
            providerSession: CompactText(
                identity.token.sessionID.map { DisplayText.guid($0) ?? $0 }
                    ?? sessionState.flatMap(DisplayText.guid) ?? ""
            ),
            loginHint: identity.token.loginHint ?? "",
            startedAt: known?.startedAt ?? now,
            seenAt: now,
            verifiedAt: now,
            postponedAt: known?.startedAt ?? now
        )
    }

    /// Lets the browser keep the ID token for signing out, where `secrets.toml` wants that.
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
