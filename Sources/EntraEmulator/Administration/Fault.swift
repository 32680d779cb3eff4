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

    var target: Target {
        switch self {
        case .issuerWrong, .audienceWrong, .nonceWrong, .nonceMissing, .tenantWrong,
            .tenantMissing, .objectIDMissing, .expired, .notYetValid, .claimTwice,
            .claimTwiceInOtherCase, .version1, .algorithmNone, .algorithmHS256, .signatureBroken,
            .keyUnknown, .keyOfOtherIssuer, .keyOfOtherCloud, .idTokenMissing:
            .idToken
        case .stateWrong, .stateMissing, .codeMissing, .issuerInAnswer, .signInError: .answer
        case .tokenError: .tokenEndpoint
        case .graphForbidden: .graph
        case .slow, .truncated, .throttled, .unavailable, .garbage, .huge, .empty: .anyEndpoint
        case .frontChannelMissing, .frontChannelWithIssuer, .frontChannelWithoutSID,
            .signOutStuck:
            .signOut
        }
    }

    var summary: String {
        switch self {
        case .issuerWrong: "'iss' names another tenant"
        case .audienceWrong: "'aud' names another application"
        case .nonceWrong: "'nonce' differs from the one in the request"
        case .nonceMissing: "'nonce' is missing"
        case .tenantWrong: "'tid' names another tenant, 'iss' the right one"
        case .tenantMissing: "'tid' is missing"
        case .objectIDMissing: "'oid' is missing"
        case .expired: "the token expired an hour ago"
        case .notYetValid: "the token becomes valid in an hour"
        case .claimTwice: "'tid' occurs twice"
        case .claimTwiceInOtherCase: "'tid' and 'TID' both occur"
        case .version1: "'ver' is 1.0, with the issuer and the claims of the v1 endpoint"
        case .algorithmNone: "'alg' is none, and there is no signature"
        case .algorithmHS256: "'alg' is HS256, keyed with the published public key"
        case .signatureBroken: "one byte of the signature is wrong"
        case .keyUnknown: "the key is in no key set"
        case .keyOfOtherIssuer: "the key is published for another issuer"
        case .keyOfOtherCloud: "the key is published for another cloud"
        case .idTokenMissing: "the token endpoint's answer has no ID token"
        case .stateWrong: "'state' differs from the one in the request"
        case .stateMissing: "'state' is missing"
        case .codeMissing: "'code' is missing"
        case .issuerInAnswer: "'iss' (RFC 9207) is added and names another provider"
        case .signInError: "Entra refuses with the given AADSTS number"
        case .tokenError: "the endpoint refuses with the given AADSTS number"
        case .graphForbidden: "403, as if the permission were missing"
        case .slow: "the answer comes after the given number of seconds"
        case .truncated: "the answer breaks off in the middle"
        case .throttled: "429 with the given number of seconds as Retry-After"
        case .unavailable: "503 with the given number of seconds as Retry-After"
        case .garbage: "200 with bytes that are not JSON"
        case .huge: "200 with 10 MB of JSON"
        case .empty: "200 with an empty body"
        case .frontChannelMissing: "applications are not called"
        case .frontChannelWithIssuer: "applications are called with 'iss' and 'sid'"
        case .frontChannelWithoutSID: "applications are called without 'sid'"
        case .signOutStuck: "the browser is not sent back to the application"
        }
    }
}
