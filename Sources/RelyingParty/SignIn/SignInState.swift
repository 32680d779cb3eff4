import JOSE
import OpenSSL

/// What one sign-in has to remember until Entra answers.
///
/// It travels sealed in `state`, so that nothing is stored and a hundred thousand sign-ins that
/// nobody finishes cost nothing.
struct SignInState: Sendable, Equatable {
    /// Time enough to find a telephone for the second factor.
    static let lifetime = 3600
    /// By which readers have to prove who they are, whatever session the provider has of them.
    static let loginPrompt = "login"

    /// How often a sign-in begins anew by itself; after that the reader is asked.
    static let maximumRetries: UInt8 = 3

    /// 16 random bytes.
    let id: [UInt8]
    /// A digest of the browser's id: the state, which passes through URLs and logs, must not tell
    /// the cookie.
    let browserDigest: [UInt8]
    let returnPath: String
    let startedAt: NumericDate
    /// How often it was begun anew by itself, because the one before could not be finished.
    let retries: UInt8
    /// What the provider was asked to ask the reader.
    let prompt: String?
    /// The session for which Entra is asked again without asking the reader; empty for a sign-in.
    let revalidatedSession: [UInt8]

    init(
        id: [UInt8],
        browser: Browser,
        returnPath: String,
        startedAt: NumericDate,
        retries: UInt8,
        prompt: String? = nil,
        revalidatedSession: [UInt8] = []
    ) {
        self.id = id
        browserDigest = Digest.sha256(browser.id)
        self.returnPath = returnPath
        self.startedAt = startedAt
        self.retries = retries
        self.prompt = prompt
        self.revalidatedSession = revalidatedSession
    }

    init?(_ bytes: [UInt8]) {
        var reader = FieldReader(bytes)
        guard reader.byte() == 3, let id = reader.field(), id.count == 16,
            let browserDigest = reader.field(), browserDigest.count == 32,
            let returnPath = reader.text(), let startedAt = reader.date(),
            let retries = reader.byte(), let prompt = reader.text(),
            let revalidatedSession = reader.field(), reader.isAtEnd
        else { return nil }
        self.id = id
        self.browserDigest = browserDigest
        self.returnPath = returnPath
        self.startedAt = startedAt
        self.retries = retries
        self.prompt = prompt.isEmpty ? nil : prompt
        self.revalidatedSession = revalidatedSession
    }

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.write(byte: 3)
        writer.write(id)
        writer.write(browserDigest)
        writer.write(returnPath)
        writer.write(startedAt)
        writer.write(byte: retries)
        writer.write(prompt ?? "")
        writer.write(revalidatedSession)
        return writer.bytes
    }

    /// Whether the reader has to have proved who they are since it began.
    var demandsLogin: Bool { prompt == Self.loginPrompt }

    var isRevalidation: Bool { !revalidatedSession.isEmpty }

    func isExpired(at now: NumericDate) -> Bool {
        now - startedAt > Self.lifetime || startedAt > now + Sessions.clockSkew
    }

    func belongs(to browser: Browser) -> Bool {
        Digest.equal(browserDigest, Digest.sha256(browser.id))
    }
}
