/// Something that goes wrong because a test asked for it.
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

    /// Where it shows.
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
        case .issuerWrong: "'iss' is that of another tenant"
        case .audienceWrong: "'aud' is another application"
        case .nonceWrong: "'nonce' is not the one that was sent"
        case .nonceMissing: "'nonce' is left out"
        case .tenantWrong: "'tid' is another tenant, 'iss' is not"
        case .tenantMissing: "'tid' is left out"
        case .objectIDMissing: "'oid' is left out"
        case .expired: "it expired an hour ago"
        case .notYetValid: "it begins to hold in an hour"
        case .claimTwice: "'tid' is there twice"
        case .claimTwiceInOtherCase: "there are 'tid' and 'TID'"
        case .version1: "'ver' is 1.0, with the issuer and the claims of the v1 endpoint"
        case .algorithmNone: "'alg' is none, and there is no signature"
        case .algorithmHS256: "'alg' is HS256, keyed with the published public key"
        case .signatureBroken: "one byte of the signature is another"
        case .keyUnknown: "the key is in no key set"
        case .keyOfOtherIssuer: "the key is published for another issuer"
        case .keyOfOtherCloud: "the key is published for another cloud"
        case .idTokenMissing: "there is none in the answer of the token endpoint"
        case .stateWrong: "'state' is not the one that was sent"
        case .stateMissing: "'state' is left out"
        case .codeMissing: "there is no code"
        case .issuerInAnswer: "'iss' comes along (RFC 9207), and is another provider"
        case .signInError: "Entra refuses, with the AADSTS number given"
        case .tokenError: "it refuses, with the AADSTS number given"
        case .graphForbidden: "403, as without the permission"
        case .slow: "the answer comes after the seconds given"
        case .truncated: "the answer breaks off in the middle"
        case .throttled: "429 with Retry-After of the seconds given"
        case .unavailable: "503 with Retry-After of the seconds given"
        case .garbage: "200 with bytes that are no JSON"
        case .huge: "200 with 10 MB of JSON"
        case .empty: "200 with nothing"
        case .frontChannelMissing: "applications are not told"
        case .frontChannelWithIssuer: "applications are told 'iss' as well as 'sid'"
        case .frontChannelWithoutSID: "applications are told no 'sid'"
        case .signOutStuck: "nobody is sent back"
        }
    }
}
