import Access
import HTTPTypes
import OpenSSL

/// Seconds since 1970-01-01T00:00:00Z (RFC 7519, section 2).
public typealias NumericDate = Int

/// All that is not a function of the request: time, chance and the network.
public struct Environment: Sendable {
    public typealias Send =
        @Sendable (HTTPRequest, [UInt8]) throws -> (response: HTTPResponse, body: [UInt8])

    public var now: @Sendable () -> NumericDate
    /// That many bytes that nobody can guess.
    public var random: @Sendable (Int) -> [UInt8]
    /// Sends a request to the provider.
    ///
    /// What it throws is shown to the operator.
    public var send: Send
    /// Makes another ``send`` for a provider whose certificate is from one of these authorities (PEM),
    /// and from no other.
    public var sendTrusting: @Sendable (_ authorities: [UInt8]) -> Send = { _ in
        { _, _ in throw ProviderError("no authority can be trusted here") }
    }
    /// Sends a request to the metadata service of this machine, where plain http is all there is.
    ///
    /// Azure has such a service; elsewhere nobody answers.
    public var sendToMachine: Send = { _, _ in throw ProviderError("there is no such service") }
    /// Reads a file that the configuration names.
    public var readFile: ReadFile = { _ in nil }
    /// Has ``RelyingParty/refreshProvider()`` called soon by the thread that looks after it.
    ///
    /// `nil` where there is no such thread; whoever needs the provider's keys fetches them then.
    public var wakeMaintenance: (@Sendable () -> Void)?
    /// Lets the calling thread sleep for so many milliseconds.
    public var sleep: @Sendable (_ milliseconds: Int) -> Void = { _ in }
    /// A clock that only runs forward, for measuring.
    public var uptimeNanoseconds: @Sendable () -> UInt64 = { 0 }

    public init(
        now: @escaping @Sendable () -> NumericDate,
        random: @escaping @Sendable (Int) -> [UInt8],
        send: @escaping Send
    ) {
        self.now = now
        self.random = random
        self.send = send
    }
}

/// What siteauth keeps on disk: releases that sitegen wrote, and sessions that were ended.
public struct Storage: Sendable {
    /// The policy of a release, or `nil` if there is none that can be read.
    public var policy: @Sendable (_ release: String) -> AccessPolicy?
    /// The frame of our pages in a release.
    public var frame: @Sendable (_ release: String) -> String?
    /// When each ``Revocation/name`` was called last, `nil` where it never was; no answer at all
    /// if the list cannot be read.
    public var revocations: @Sendable (_ names: [String]) -> [NumericDate?]?
    /// Ends sessions for all processes and restarts; `false` if that could not be written down.
    public var revoke: @Sendable (_ name: String) -> Bool
    /// Notes until when sessions may be there that came from a session at the provider, by the name
    /// of its ``Revocation``; `false` if that could not be written down.
    public var noteProviderSession: @Sendable (_ name: String, _ until: NumericDate) -> Bool = {
        _,
        _ in true
    }
    /// Whether a session at the provider was noted; no answer if that cannot be read.
    public var knowsProviderSession: @Sendable (_ name: String) -> Bool? = { _ in true }
    /// What was handed to ``keepMetadata`` last, by this process or one before it.
    public var keptMetadata: @Sendable () -> [UInt8]? = { nil }
    /// Keeps what the provider publishes over a restart; `false` if that did not work.
    public var keepMetadata: @Sendable ([UInt8]) -> Bool = { _ in true }

    public init(
        policy: @escaping @Sendable (String) -> AccessPolicy?,
        frame: @escaping @Sendable (String) -> String?,
        revocations: @escaping @Sendable ([String]) -> [NumericDate?]?,
        revoke: @escaping @Sendable (String) -> Bool
    ) {
        self.policy = policy
        self.frame = frame
        self.revocations = revocations
        self.revoke = revoke
    }
}

extension Environment {
    /// The same for a configuration that names the authorities of its provider.
    func trusting(_ authorities: [UInt8]?) -> Environment {
        guard let authorities else { return self }
        var environment = self
        environment.send = sendTrusting(authorities)
        return environment
    }

    /// The randomness of OpenSSL, which also uses it.
    public static let systemRandom: @Sendable (Int) -> [UInt8] = { RandomBytes.next($0) }
}
