import Access
import HTTPTypes
import OpenSSL
import SiteauthConfiguration

/// Everything that a response depends on beside the request and ``Storage``: clock, randomness,
/// network and files.
///
/// `RelyingParty` has no other access to them (`.ci/shape` checks that).
public struct Environment: Sendable {
    public typealias Send =
        @Sendable (HTTPRequest, [UInt8]) throws -> (response: HTTPResponse, body: [UInt8])

    public var now: @Sendable () -> NumericDate
    /// Returns that many random bytes.
    public var random: @Sendable (Int) -> [UInt8]
    /// Sends a request to the provider.
    ///
    /// Its errors are shown to the operator.
    public var send: Send
    /// Makes a ``send`` for a provider whose certificate must be issued by one of these authorities
    /// (PEM).
    public var sendTrusting: @Sendable (_ authorities: [UInt8]) -> Send = { _ in
        { _, _ in throw ProviderError("no authority can be trusted here") }
    }
    /// Sends a request to Azure's metadata service for this machine, over plain http.
    ///
    /// Other machines have no such service.
    public var sendToMachine: Send = { _, _ in throw ProviderError("there is no such service") }
    /// Reads a file named in the configuration.
    public var readFile: ReadFile = { _ in nil }
    /// Wakes the maintenance thread, which then calls ``RelyingParty/refreshProvider()``.
    ///
    /// `nil` if there is no such thread: then a request that needs the provider's keys fetches them
    /// itself.
    public var wakeMaintenance: (@Sendable () -> Void)?
    /// Lets the calling thread sleep.
    public var sleep: @Sendable (_ milliseconds: Int) -> Void = { _ in }
    /// A monotonic clock, for measuring durations.
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

/// What siteauth reads and writes on disk or in Redis: releases, ended sessions, and the provider's
/// metadata.
public struct Storage: Sendable {
    /// The access policy of a release, or `nil` if it cannot be read.
    public var policy: @Sendable (_ release: String) -> AccessPolicy?
    /// The frame for siteauth's pages in a release.
    public var frame: @Sendable (_ release: String) -> String?
    /// The languages of siteauth's pages in a release; `nil` for English.
    public var languages: @Sendable (_ release: String) -> ReaderLanguages? = { _ in nil }
    /// The time of the last revocation under each ``Revocation/name``, `nil` for none; or `nil` as
    /// a whole if the list cannot be read.
    public var revocations: @Sendable (_ names: [String]) -> [NumericDate?]?
    /// Ends sessions for all processes, across restarts; `false` if the list cannot be written.
    public var revoke: @Sendable (_ name: String) -> Bool
    /// Records that a session at the provider may have sessions here until a time, by the name of
    /// its ``Revocation``; `false` if the list cannot be written.
    public var noteProviderSession: @Sendable (_ name: String, _ until: NumericDate) -> Bool = {
        _,
        _ in true
    }
    /// Whether a session at the provider is recorded; `nil` if the list cannot be read.
    public var knowsProviderSession: @Sendable (_ name: String) -> Bool? = { _ in true }
    /// Records that an account has signed in now, by the name of its ``Revocation``; `false` if the
    /// list cannot be written.
    public var noteAccount: @Sendable (_ name: String, _ now: NumericDate) -> Bool = { _, _ in true
    }
    /// The accounts that have signed in here since a time, and when each did last; `nil` if the list
    /// cannot be read.
    public var accounts: @Sendable (_ since: NumericDate) -> [(name: String, date: NumericDate)]? =
        {
            _ in []
        }
    /// Why the policy of the current release cannot be read, for operators.
    public var policyProblem: @Sendable () -> String? = { nil }
    var policyReason: String { policyProblem().map { ": \($0)" } ?? "" }
    /// Writes a line of the audit; `false` if that failed.
    public var audit: @Sendable (_ line: String) -> Bool = { _ in false }
    /// Why lines of the audit cannot be written; `nil` if they can.
    public var auditProblem: @Sendable () -> String? = { noAudit }
    /// The reason of a site whose groups want an audit that its server does not keep.
    public static let noAudit = "'audit' is missing in secrets.toml"
    /// The release that new requests are served from; `nil` if there is none.
    public var currentRelease: @Sendable () -> String? = { nil }
    /// The bytes that ``keepMetadata`` stored last, in this process or an earlier one.
    public var keptMetadata: @Sendable () -> [UInt8]? = { nil }
    /// Stores the provider's documents for the next start; `false` if that failed.
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
    /// The environment with ``sendTrusting``, if the configuration names authorities for the
    /// provider.
    func trusting(_ authorities: [UInt8]?) -> Environment {
        guard let authorities else { return self }
        var environment = self
        environment.send = sendTrusting(authorities)
        return environment
    }

    /// OpenSSL's random number generator.
    public static let systemRandom: @Sendable (Int) -> [UInt8] = { RandomBytes.next($0) }
}
