/// A fault that a test can switch on.
enum Fault: String, Sendable, CaseIterable {
    // ID tokens
    case issuerWrong = "issuer-wrong"
    case audienceWrong = "audience-wrong"
    case nonceWrong = "nonce-wrong"
    case nonceMissing = "nonce-missing"
    case tenantWrong = "tenant-wrong"
    case tenantMissing = "tenant-missing"
    case objectIDMissing = "object-id-missing"
    case expired
    case notYetValid = "not-yet-valid"
    case claimTwice = "claim-twice"
    case claimTwiceInOtherCase = "claim-twice-in-other-case"
    case version1 = "version-1"
    case contextMissing = "context-missing"
    case contextWrong = "context-wrong"
    case algorithmNone = "algorithm-none"
    case algorithmHS256 = "algorithm-hs256"
    case signatureBroken = "signature-broken"
    case keyUnknown = "key-unknown"
    case keyOfOtherIssuer = "key-of-other-issuer"
    case keyOfOtherCloud = "key-of-other-cloud"
    case idTokenMissing = "id-token-missing"

    // The answer to an authorization request
    case stateWrong = "state-wrong"
    case stateMissing = "state-missing"
    case codeMissing = "code-missing"
    case issuerInAnswer = "issuer-in-answer"
    case signInError = "sign-in-error"

    // The token endpoint
    case tokenError = "token-error"

    // Microsoft Graph
    case graphForbidden = "graph-forbidden"

    // Any endpoint
    case slow
    case truncated
    case throttled
    case unavailable
    case garbage
    case huge
    case empty

    // Sign-out
    case frontChannelMissing = "front-channel-missing"
    case frontChannelWithIssuer = "front-channel-with-issuer"
    case frontChannelWithoutSID = "front-channel-without-sid"
    case signOutStuck = "sign-out-stuck"

    /// The kind of answer that a fault spoils.
    enum Target: String, Sendable, CaseIterable {
        case idToken = "ID tokens"
        case answer = "Answers to authorization requests"
        case tokenEndpoint = "The token endpoint"
        case graph = "Microsoft Graph"
        case anyEndpoint = "Any endpoint"
        case signOut = "Sign-out"
    }

    var target: Target { row.target }

    var summary: String { row.summary }

    private var row: (target: Target, summary: String) {
        switch self {
        case .issuerWrong: (.idToken, "'iss' names another tenant")
        case .audienceWrong: (.idToken, "'aud' names another application")
        case .nonceWrong: (.idToken, "'nonce' differs from the one in the request")
        case .nonceMissing: (.idToken, "'nonce' is missing")
        case .tenantWrong: (.idToken, "'tid' names another tenant, 'iss' the right one")
        case .tenantMissing: (.idToken, "'tid' is missing")
        case .objectIDMissing: (.idToken, "'oid' is missing")
        case .expired: (.idToken, "the token expired an hour ago")
        case .notYetValid: (.idToken, "the token becomes valid in an hour")
        case .claimTwice: (.idToken, "'tid' occurs twice")
        case .claimTwiceInOtherCase: (.idToken, "'tid' and 'TID' both occur")
        case .version1:
            (.idToken, "'ver' is 1.0, with the issuer and the claims of the v1 endpoint")
        case .contextMissing: (.idToken, "'acrs' is missing, although it was asked for and met")
        case .contextWrong: (.idToken, "'acrs' names another authentication context")
        case .algorithmNone: (.idToken, "'alg' is none, and there is no signature")
        case .algorithmHS256: (.idToken, "'alg' is HS256, keyed with the published public key")
        case .signatureBroken: (.idToken, "one byte of the signature is wrong")
        case .keyUnknown: (.idToken, "the key is in no key set")
        case .keyOfOtherIssuer: (.idToken, "the key is published for another issuer")
        case .keyOfOtherCloud: (.idToken, "the key is published for another cloud")
        case .idTokenMissing: (.idToken, "the token endpoint's answer has no ID token")
        case .stateWrong: (.answer, "'state' differs from the one in the request")
        case .stateMissing: (.answer, "'state' is missing")
        case .codeMissing: (.answer, "'code' is missing")
        case .issuerInAnswer: (.answer, "'iss' (RFC 9207) is added and names another provider")
        case .signInError: (.answer, "Entra refuses with the given AADSTS number")
        case .tokenError: (.tokenEndpoint, "the endpoint refuses with the given AADSTS number")
        case .graphForbidden: (.graph, "403, as if the permission were missing")
        case .slow: (.anyEndpoint, "the answer comes after the given number of seconds")
        case .truncated: (.anyEndpoint, "the answer breaks off in the middle")
        case .throttled: (.anyEndpoint, "429 with the given number of seconds as Retry-After")
        case .unavailable: (.anyEndpoint, "503 with the given number of seconds as Retry-After")
        case .garbage: (.anyEndpoint, "200 with bytes that are not JSON")
        case .huge: (.anyEndpoint, "200 with 10 MB of JSON")
        case .empty: (.anyEndpoint, "200 with an empty body")
        case .frontChannelMissing: (.signOut, "applications are not called")
        case .frontChannelWithIssuer: (.signOut, "applications are called with 'iss' and 'sid'")
        case .frontChannelWithoutSID: (.signOut, "applications are called without 'sid'")
        case .signOutStuck: (.signOut, "the browser is not sent back to the application")
        }
    }
}
