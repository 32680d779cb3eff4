import JOSE
import OpenSSL

@testable import RelyingParty
@testable import Rendering
@testable import SiteauthConfiguration

/// Cookies and states, which come back from browsers, and the names under which sessions end.
enum SealTargets {
    static let all: [String: FuzzTarget.Test] = [
        "sealed": sealed, "session-bytes": sessionBytes, "revocation-names": revocationNames,
    ]

    private static let secrets = (0..<2).map { Base64URL.encode(Digest.sha256([UInt8($0)])) }
    private static let ring = KeyRing(secrets: secrets, instance: "a", random: RandomBytes.next)
    private static let other = KeyRing(secrets: secrets, instance: "b", random: RandomBytes.next)

    /// The four bytes by which a sealed value names its key.
    private static let keyID = Base64URL.decode(ring.seal([], for: .session))?.prefix(4) ?? []

    static func sealed(_ bytes: [UInt8]) {
        let forged = Array(Base64URL.encode(keyID + bytes).utf8)
        for purpose in KeyRing.Purpose.allCases {
            expect(ring.open(bytes, for: purpose) == nil, "nobody else can seal for \(purpose)")
            expect(ring.open(forged, for: purpose) == nil, "the id of a key opens nothing")
        }
        if let decoded = Base64URL.decode(bytes) {
            let again = Base64URL.encode(decoded)
            expect(again.utf8.elementsEqual(bytes), "base64url has one spelling")
        }
        var input = FuzzInput(bytes)
        let purpose = KeyRing.Purpose.allCases[input.index(below: KeyRing.Purpose.allCases.count)]
        let (position, bit) = (Int(input.byte()) << 8 | Int(input.byte()), input.byte() % 8)
        let content = input.remainder()
        let sealed = ring.seal(content, for: purpose)
        guard sealed.utf8.count <= 8192 else {
            expect(ring.open(sealed, for: purpose) == nil, "no cookie has more than 8192 bytes")
            return
        }
        expect(ring.open(sealed, for: purpose) == content, "what is sealed opens")
        for wrong in KeyRing.Purpose.allCases where wrong != purpose {
            expect(ring.open(sealed, for: wrong) == nil, "not for another purpose")
        }
        expect(other.open(sealed, for: purpose) == nil, "not on another site")
        var damaged = Array(sealed.utf8)
        damaged[position % damaged.count] ^= 1 << bit
        expect(ring.open(damaged, for: purpose) == nil, "no bit may change")
        damaged = Array(sealed.utf8)
        damaged.remove(at: position % damaged.count)
        expect(ring.open(damaged, for: purpose) == nil, "no byte may go missing")
    }

    /// Whoever has a cookie secret may write anything: it is read, or the reader signs in again.
    static func sessionBytes(_ bytes: [UInt8]) {
        if let session = Session(bytes) {
            expect(session.bytes == bytes, "a session has one spelling")
            expect(session.id.count == 16, "an id has 16 bytes")
            expect(session.revocationNames.allSatisfy(isFileName), "\(session.revocationNames)")
            _ = session.groups
        }
        if let state = SignInState(bytes) {
            expect(state.bytes == bytes, "a state has one spelling")
            _ = state.isExpired(at: 1_800_000_000)
        }
        if var browser = Browser(bytes) {
            expect(browser.bytes == bytes, "a browser has one spelling")
            let now = 1_800_000_000
            _ = browser.isInLoop(at: now, within: 120)
            browser.countRound(after: nil, at: now, within: 120)
            expect(browser.rounds < 255, "rounds are counted up to a limit")
        }
        var session = Session.sample
        session.name = String(decoding: bytes.prefix(300), as: UTF8.self)
        session.groupList = String(decoding: bytes.suffix(300), as: UTF8.self)
        expect(Session(session.bytes) == session, "what is written is read")
    }

    static func revocationNames(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let (account, tenant) = (input.text(), input.text())
        let names = [
            Revocation.account(spelled: account).name,
            Revocation.account(spelled: account, tenant: tenant).name,
            Revocation.account(objectID: account, tenantID: tenant).name,
        ]
        expect(names.allSatisfy(isFileName), "\(names)")
        let isOther = !account.utf8.elementsEqual(tenant.utf8)
        if isOther {
            let other = Revocation.account(objectID: tenant, tenantID: nil).name
            let name = Revocation.account(objectID: account, tenantID: nil).name
            expect(other != name, "two accounts have two names")
        }
        let provider = Revocation.providerSession(account).name
        expect(provider.hasPrefix("sid-") && isFileName(provider), provider)
        if let guid = DisplayText.guid(account) {
            expect(CompactText(guid).text == guid, "a GUID has one spelling")
            let upper = Revocation.account(spelled: account.uppercased()).name
            expect(upper == names[0], "case does not count in a GUID")
        }
        let id = Array(Digest.sha256(bytes).prefix(16))
        let session = Revocation.session(id).name
        expect(isFileName(session) && !names.contains(session), session)
        let clean = DisplayText.clean(account, maximumLength: 64)
        expect(clean.utf8.count <= 256, "a name has an end")
        let again = DisplayText.clean(clean, maximumLength: 64)
        expect(again.utf8.elementsEqual(clean.utf8), "a clean text is clean")
        expect(!clean.unicodeScalars.contains { $0.value < 32 }, "no control character")
    }

    private static func isFileName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (48...57).contains(byte) || byte == 45
            }
    }
}

extension Session {
    fileprivate static let sample = Session(
        id: Array(repeating: 7, count: 16),
        tenant: CompactText("11111111-aaaa-4000-8000-000000000001"),
        object: CompactText("somebody"),
        name: "",
        groupList: "",
        groupsDigest: 3,
        providerSession: CompactText(""),
        loginHint: "",
        startedAt: 1,
        seenAt: 2,
        verifiedAt: 3,
        postponedAt: 4
    )
}
