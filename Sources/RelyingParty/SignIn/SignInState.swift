import JOSE
import OpenSSL
import SiteauthConfiguration

/// The state of one sign-in until the provider answers.
///
/// It travels sealed in the parameter `state`, so the server stores nothing, and a hundred thousand
/// unfinished sign-ins cost nothing.
struct SignInState: Sendable, Equatable {
    /// Seconds that a sign-in may take: time enough to find a telephone for the second factor.
    static let lifetime = 3600
    /// The prompt that makes readers enter credentials even if they are signed in at the provider.
    static let loginPrompt = "login"

    private static let format: UInt8 = 4

    /// How often a sign-in restarts by itself before the reader is asked.
    static let maximumRetries: UInt8 = 3

    /// 16 random bytes.
    let id: [UInt8]
    /// A digest of the browser's id: the state passes through URLs and logs, and must not reveal
    /// the cookie.
    let browserDigest: [UInt8]
    let returnPath: String
    let startedAt: NumericDate
    /// How often the sign-in was restarted because the one before could not be finished.
    let retries: UInt8
    /// The value of `prompt` in the authorization request.
    let prompt: String?
    /// The id of the session that is being revalidated; empty for a sign-in.
    let revalidatedSession: [UInt8]
    /// The name of the authentication context that the provider has to confirm.
    let context: String?

    init(
        id: [UInt8],
        browser: Browser,
        returnPath: String,
        startedAt: NumericDate,
        retries: UInt8,
        prompt: String? = nil,
        revalidatedSession: [UInt8] = [],
        context: String? = nil
    ) {
        self.id = id
        browserDigest = Digest.sha256(browser.id)
        self.returnPath = returnPath
        self.startedAt = startedAt
        self.retries = retries
        self.prompt = prompt
        self.revalidatedSession = revalidatedSession
        self.context = context
    }

    init?(_ bytes: [UInt8]) {
        var reader = FieldReader(bytes)
        guard reader.byte() == Self.format, let id = reader.field(), id.count == 16,
            let browserDigest = reader.field(), browserDigest.count == 32,
            let returnPath = reader.text(), let startedAt = reader.date(),
            let retries = reader.byte(), let prompt = reader.text(),
            let revalidatedSession = reader.field(), let context = reader.text(), reader.isAtEnd
        else { return nil }
        self.id = id
        self.browserDigest = browserDigest
        self.returnPath = returnPath
        self.startedAt = startedAt
        self.retries = retries
        self.prompt = prompt.isEmpty ? nil : prompt
        self.revalidatedSession = revalidatedSession
        self.context = context.isEmpty ? nil : context
    }

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.write(byte: Self.format)
        writer.write(id)
        writer.write(browserDigest)
        writer.write(returnPath)
        writer.write(startedAt)
        writer.write(byte: retries)
        writer.write(prompt ?? "")
        writer.write(revalidatedSession)
        writer.write(context ?? "")
        return writer.bytes
    }

    /// Whether the reader must have entered credentials since the sign-in started.
    var demandsLogin: Bool { prompt == Self.loginPrompt }

    var isRevalidation: Bool { !revalidatedSession.isEmpty }

    func isExpired(at now: NumericDate) -> Bool {
        now - startedAt > Self.lifetime || startedAt > now + Sessions.clockSkew
    }

    func belongs(to browser: Browser) -> Bool {
        Digest.equal(browserDigest, Digest.sha256(browser.id))
    }
}
