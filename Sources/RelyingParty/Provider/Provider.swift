import HTTPTypes
import JOSE
import Synchronization

/// The provider's metadata and keys, fetched when needed and kept while they hold.
///
/// Nothing here is on the way of a check: with the provider unreachable, readers who are signed in
/// notice nothing.
final class Provider: Sendable {
    /// Entra says to refresh about hourly, to keep what one has when that does not succeed, and
    /// to ask again for an unknown key at most every five minutes (signing-key rollover).
    enum Interval {
        static let refresh = 3600
        static let expiry = 24 * 3600
        static let forced = 300
        /// Between attempts while the provider cannot be reached.
        static let retry = 5
        /// How long an answer shows that the provider answers.
        static let liveness = 10
        /// How long a failure keeps readers from waiting for the next one.
        static let outage = 30
    }

    struct Snapshot: Sendable {
        let metadata: ProviderMetadata
        let keys: JSONWebKeySet
        let fetchedAt: NumericDate
    }

    private struct State {
        var snapshot: Snapshot?
        var attemptedAt: NumericDate?
        var forcedAt: NumericDate?
        var failure = ProviderError("not asked yet")
        /// Whether the last attempt failed.
        var isFailing = false
    }

    private let metadataURL: WebURL
    private let environment: Environment
    private let storage: Storage?
    private let state = Mutex(State())
    /// Held while fetching, so that a hundred sign-ins at once fetch once.
    private let fetching = Mutex(())

    /// - Parameter storage: holds what an earlier process fetched; without it there is nothing.
    init(metadataURL: WebURL, environment: Environment, storage: Storage? = nil) {
        self.metadataURL = metadataURL
        self.environment = environment
        self.storage = storage
        guard let bytes = storage?.keptMetadata(),
            let kept = KeptMetadata(parsing: bytes, for: metadataURL, at: environment.now())
        else { return }
        state.withLock { $0.snapshot = kept.snapshot }
    }

    /// Metadata and keys, fetched now if there are none that hold.
    func current() throws(ProviderError) -> Snapshot {
        let now = environment.now()
        if let snapshot = state.withLock(\.snapshot), now - snapshot.fetchedAt < Interval.expiry {
            return snapshot
        }
        return try fetch { state, now in
            guard let attempted = state.attemptedAt else { return true }
            return now - attempted >= Interval.retry || now < attempted
        }
    }

    /// What is known without asking anybody.
    var known: ProviderMetadata? { state.withLock(\.snapshot)?.metadata }

    /// When keys were fetched last.
    var fetchedAt: NumericDate? { state.withLock(\.snapshot)?.fetchedAt }

    /// Why nobody can sign in, without asking anybody.
    func problem(at now: NumericDate) -> ProviderError? {
        state.withLock { state in
            guard let snapshot = state.snapshot else { return state.failure }
            return now - snapshot.fetchedAt < Interval.expiry ? nil : state.failure
        }
    }

    /// The keys of that name, asking the provider again if there are none, as a roll-over may fall
    /// into a sign-in.
    ///
    /// It asks at most once in five minutes, also when that does not succeed: otherwise a
    /// stranger's tokens with made-up names would make us flood the provider.
    func keys(named keyID: String?) throws(ProviderError) -> [JSONWebKey] {
        guard let keyID else { return try current().keys.only.map { [$0] } ?? [] }
        let known = try current().keys.keys(named: keyID)
        if !known.isEmpty { return known }
        let now = environment.now()
        let mayAsk = state.withLock { state in
            if let forced = state.forcedAt, (0..<Interval.forced).contains(now - forced) {
                return false
            }
            state.forcedAt = now
            return true
        }
        guard mayAsk else { return [] }
        return try fetch { _, _ in true }.keys.keys(named: keyID)
    }

    /// Fetches again if what there is has become old.
    ///
    /// Called in the background.
    ///
    /// - Returns: why it did not succeed.
    func refresh() -> ProviderError? {
        let now = environment.now()
        if let snapshot = state.withLock(\.snapshot), now - snapshot.fetchedAt < Interval.refresh {
            return nil
        }
        do {
            _ = try fetch { _, _ in true }
            return nil
        } catch { return error }
    }

    /// Why the provider cannot be asked just now, or `nil` if it answers; asks it where nobody did
    /// within the last seconds.
    ///
    /// For those who would rather wait than be sent to where nothing answers.
    func failure(at now: NumericDate) -> ProviderError? {
        let state = self.state.withLock { $0 }
        if let attempted = state.attemptedAt {
            let age = now - attempted
            if !state.isFailing, (0..<Interval.liveness).contains(age) { return nil }
            if state.isFailing, (0..<Interval.outage).contains(age) { return state.failure }
        }
        do {
            _ = try fetch { state, now in
                // Others may have waited for the answer that never came.
                guard state.isFailing, let attempted = state.attemptedAt else { return true }
                return !(0..<Interval.outage).contains(now - attempted)
            }
            return nil
        } catch { return error }
    }

    private func fetch(if mayAsk: (State, NumericDate) -> Bool) throws(ProviderError) -> Snapshot {
        let before = state.withLock(\.snapshot)?.fetchedAt
        let result = fetching.withLock { _ -> Result<Snapshot, ProviderError> in
            let state = self.state.withLock { $0 }
            // Somebody else has fetched while we waited.
            if let snapshot = state.snapshot, snapshot.fetchedAt != before {
                return .success(snapshot)
            }
            // The clock is read here: others may have waited for the same answer for a while.
            guard mayAsk(state, environment.now()) else { return .failure(state.failure) }
            return ask()
        }
        return try result.get()
    }

    private func ask() -> Result<Snapshot, ProviderError> {
        let now = environment.now()
        let result = documents(at: now)
        state.withLock { state in
            state.attemptedAt = environment.now()
            switch result {
            case .success(let kept):
                state.snapshot = kept.snapshot
                state.isFailing = false
            case .failure(let error):
                state.failure = error
                state.isFailing = true
            }
        }
        // Without a file, the next start asks the provider; nothing else is lost.
        if case .success(let kept) = result {
            _ = storage?.keepMetadata(kept.bytes(for: metadataURL))
        }
        return result.map { $0.snapshot }
    }

    private func documents(at now: NumericDate) -> Result<KeptMetadata, ProviderError> {
        do throws(ProviderError) {
            let document = try get(metadataURL).get()
            let metadata = try ProviderMetadata.parse(document, from: metadataURL).get()
            let keySet = try get(metadata.keySetURL).get()
            guard let keys = JSONWebKeySet(parsing: keySet) else {
                let url = metadata.keySetURL.text
                throw ProviderError("the document at '\(url)' is no key set with RSA keys")
            }
            let snapshot = Snapshot(metadata: metadata, keys: keys, fetchedAt: now)
            return .success(KeptMetadata(snapshot, document: document, keySet: keySet))
        } catch { return .failure(error) }
    }

    private func get(_ url: WebURL) -> Result<[UInt8], ProviderError> {
        let request = HTTPRequest(
            method: .get,
            scheme: url.scheme,
            authority: url.authority,
            path: url.path + url.query,
            headerFields: [.accept: "application/json"]
        )
        do {
            let (response, body) = try environment.send(request, [])
            // Entra explains a wrong tenant in the body of a 400.
            guard response.status == .ok || response.status == .badRequest else {
                return .failure(.init("'\(url.text)' answered \(response.status.code)"))
            }
            return .success(body)
        } catch {
            return .failure(.init("'\(url.text)' is not reached: \(error)"))
        }
    }
}
