import HTTPTypes
import JOSE
import SiteauthConfiguration
import Synchronization

/// The provider's metadata and keys, fetched when needed and cached.
///
/// Checks never use it: while the provider is unreachable, readers who are signed in notice
/// nothing. If there is a maintenance thread (``Environment/wakeMaintenance``), only that thread
/// fetches; other threads wake it, and wait if they may.
final class Provider: Sendable {
    /// Seconds between calls.
    ///
    /// Entra recommends to refresh hourly, to keep the old keys if that fails, and to ask for an
    /// unknown key at most every five minutes (signing-key rollover).
    enum Interval {
        static let refresh = 3600
        static let expiry = 24 * 3600
        static let forced = 300
        /// Between attempts of requests, while the provider cannot be reached.
        static let retry = 5
        /// How long an answer counts as proof that the provider is reachable.
        static let liveness = 10
        /// How long after a failure no request waits for the next attempt.
        static let outage = 30
        /// Between attempts of the maintenance thread, while no request waits.
        static let maintenancePause = 60
    }

    /// The longest waits of a thread that may wait, in milliseconds.
    private enum Timeout {
        /// For metadata and keys, without which nobody can sign in.
        static let documents = 10_000
        /// For the test whether the provider is reachable; a reader who is signed in can go on
        /// without it.
        static let liveness = 3000
        /// For the first attempt of a process that has just started.
        static let start = 2000
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
        var failure = ProviderError("the provider was not asked yet")
        /// Whether the last attempt failed.
        var isFailing = false
        /// The number of attempts that have started, and that have ended.
        var begun = 0
        var ended = 0
        /// Whether a request waits for the next attempt.
        var isWanted = false

        func holds(at now: NumericDate) -> Snapshot? {
            snapshot.flatMap { now - $0.fetchedAt < Interval.expiry ? $0 : nil }
        }

        func mayRetry(at now: NumericDate) -> Bool {
            attemptedAt.map { now - $0 >= Interval.retry || now < $0 } ?? true
        }
        /// Whether the snapshot was stored by an earlier process.
        var isKept = false
    }

    private let metadataURL: WebURL
    private let environment: Environment
    private let storage: Storage?
    private let state = Mutex(State())
    /// Held while fetching, so that a hundred simultaneous sign-ins fetch once.
    private let fetching = Mutex(())

    /// - Parameter storage: has the documents that an earlier process fetched; `nil` for none.
    init(metadataURL: WebURL, environment: Environment, storage: Storage? = nil) {
        self.metadataURL = metadataURL
        self.environment = environment
        self.storage = storage
        guard let bytes = storage?.keptMetadata(),
            let kept = CachedMetadata(parsing: bytes, for: metadataURL, at: environment.now())
        else { return }
        state.withLock { state in
            state.snapshot = kept.snapshot
            state.isKept = true
        }
    }

    /// Valid metadata and keys, fetched now if necessary; for threads that may wait.
    func current() throws(ProviderError) -> Snapshot {
        if let snapshot = state.withLock({ $0.holds(at: environment.now()) }) { return snapshot }
        return try fetch(waiting: Timeout.documents) { $0.mayRetry(at: $1) }
    }

    /// The metadata for threads that must not wait, except in the first moments of a process.
    func currentMetadata(at now: NumericDate) throws(ProviderError) -> ProviderMetadata {
        guard let wake = environment.wakeMaintenance else { return try current().metadata }
        var state = self.state.withLock { $0 }
        for _ in 0..<Timeout.start / 10 where state.snapshot == nil && state.ended == 0 {
            environment.sleep(10)
            state = self.state.withLock { $0 }
        }
        if let snapshot = state.holds(at: now) { return snapshot.metadata }
        if state.mayRetry(at: now) {
            self.state.withLock { $0.isWanted = true }
            wake()
        }
        throw state.failure
    }

    /// The cached metadata, if there is any.
    var known: ProviderMetadata? { state.withLock(\.snapshot)?.metadata }

    /// When the keys were fetched.
    var fetchedAt: NumericDate? { state.withLock(\.snapshot)?.fetchedAt }

    /// Why no reader can sign in at present; the provider is not called.
    func problem(at now: NumericDate) -> ProviderError? {
        state.withLock { state in
            guard let snapshot = state.snapshot else { return state.failure }
            return now - snapshot.fetchedAt < Interval.expiry ? nil : state.failure
        }
    }

    /// The keys that may have signed a message; where there are none, see ``newKeys(for:)``.
    func keys(for header: UnverifiedHeader) throws(ProviderError) -> [JSONWebKey] {
        let known = try current().keys.candidates(for: header)
        return known.isEmpty ? try newKeys(for: header) : known
    }

    /// The same from a key set that is fetched again, because a key roll-over may happen during a sign-in.
    ///
    /// It does so at most once in five minutes, even if the call fails, and returns no keys otherwise: a
    /// stranger's tokens with made-up key ids would make this site flood the provider.
    func newKeys(for header: UnverifiedHeader) throws(ProviderError) -> [JSONWebKey] {
        let now = environment.now()
        let mayAsk = state.withLock { state in
            if let forced = state.forcedAt, (0..<Interval.forced).contains(now - forced) {
                return false
            }
            state.forcedAt = now
            return true
        }
        guard mayAsk else { return [] }
        return try fetch(waiting: Timeout.documents) { _, _ in true }.keys.candidates(for: header)
    }

    enum Refresh: Equatable {
        case nothingToDo
        case fetched
        case failed(ProviderError)
    }

    /// Fetches if the documents are old, or a request waits for them.
    ///
    /// - Returns: the result for the log; a waiting request logs its own result.
    func refresh() -> Refresh {
        let now = environment.now()
        let (isDue, isOld) = state.withLock { state in
            defer { state.isWanted = false }
            // Documents of an earlier process are used until the first answer. They count as old,
            // because an operator who restarts siteauth after the provider has moved does not want
            // to wait for an hour. A CGI process would fetch for every request, so there they do
            // not count as old.
            let isKept = state.isKept && environment.wakeMaintenance != nil
            let age = state.snapshot.map { now - $0.fetchedAt }
            let isOld = isKept || age.map { $0 >= Interval.refresh } ?? true
            let pause = state.attemptedAt.map { now - $0 } ?? Interval.maintenancePause
            let isPausing = state.isFailing && (0..<Interval.maintenancePause).contains(pause)
            return (state.isWanted || (isOld && !isPausing), isOld)
        }
        guard isDue else { return .nothingToDo }
        switch fetching.withLock({ _ in ask() }) {
        case .success: return isOld ? .fetched : .nothingToDo
        case .failure(let error): return isOld ? .failed(error) : .nothingToDo
        }
    }

    /// Whether the provider is reachable, as far as is known without a call.
    enum Reachability {
        case reached
        case failing(ProviderError)
        case unknown
    }

    func reachability(at now: NumericDate) -> Reachability {
        let state = self.state.withLock { $0 }
        guard let attempted = state.attemptedAt else { return .unknown }
        let age = now - attempted
        if !state.isFailing, (0..<Interval.liveness).contains(age) { return .reached }
        if state.isFailing, (0..<Interval.outage).contains(age) { return .failing(state.failure) }
        return .unknown
    }

    /// Why the provider cannot be reached, or `nil` if it answers; calls it and waits if that is
    /// unknown.
    ///
    /// For readers who must not be sent to a provider that does not answer.
    func failure(at now: NumericDate) -> ProviderError? {
        switch reachability(at: now) {
        case .reached: return nil
        case .failing(let error): return error
        case .unknown: break
        }
        do {
            _ = try fetch(waiting: Timeout.liveness) { state, now in
                // Another request may have waited in vain a moment ago.
                guard state.isFailing, let attempted = state.attemptedAt else { return true }
                return !(0..<Interval.outage).contains(now - attempted)
            }
            return nil
        } catch { return error }
    }

    /// Fetches on this thread, or wakes the maintenance thread and waits.
    private func fetch(
        waiting milliseconds: Int,
        if mayAsk: (State, NumericDate) -> Bool
    ) throws(ProviderError) -> Snapshot {
        if let wake = environment.wakeMaintenance {
            let state = self.state.withLock { $0 }
            guard mayAsk(state, environment.now()) else { throw state.failure }
            return try nextAttempt(wake, waiting: milliseconds)
        }
        let before = state.withLock(\.snapshot)?.fetchedAt
        let result = fetching.withLock { _ -> Result<Snapshot, ProviderError> in
            let state = self.state.withLock { $0 }
            // Another thread has fetched meanwhile.
            if let snapshot = state.snapshot, snapshot.fetchedAt != before {
                return .success(snapshot)
            }
            // The clock is read after the wait for the lock.
            guard mayAsk(state, environment.now()) else { return .failure(state.failure) }
            return ask()
        }
        return try result.get()
    }

    /// Waits for the next attempt of the maintenance thread.
    ///
    /// An attempt that is already running may have started before the change that the request waits
    /// for.
    private func nextAttempt(
        _ wake: @Sendable () -> Void,
        waiting milliseconds: Int
    ) throws(ProviderError) -> Snapshot {
        let number = state.withLock { state in
            state.isWanted = true
            return state.begun + 1
        }
        wake()
        for _ in 0..<milliseconds / 10 {
            let state = self.state.withLock { $0 }
            if state.ended >= number {
                if !state.isFailing, let snapshot = state.snapshot { return snapshot }
                throw state.failure
            }
            environment.sleep(10)
        }
        // The attempt goes on; requests that arrive meanwhile need not wait as well.
        let failure = ProviderError("the provider has not answered within \(milliseconds / 1000) s")
        state.withLock { state in
            state.isFailing = true
            state.failure = failure
            state.attemptedAt = environment.now()
        }
        throw failure
    }

    private func ask() -> Result<Snapshot, ProviderError> {
        let now = environment.now()
        state.withLock { $0.begun += 1 }
        let result = documents(at: now)
        state.withLock { state in
            state.ended += 1
            state.attemptedAt = environment.now()
            switch result {
            case .success(let kept):
                state.snapshot = kept.snapshot
                state.isKept = false
                state.isFailing = false
            case .failure(let error):
                state.failure = error
                state.isFailing = true
            }
        }
        // If the file cannot be written, only the next start is slower.
        if case .success(let kept) = result {
            _ = storage?.keepMetadata(kept.bytes(for: metadataURL))
        }
        return result.map { $0.snapshot }
    }

    private func documents(at now: NumericDate) -> Result<CachedMetadata, ProviderError> {
        do throws(ProviderError) {
            let document = try get(metadataURL).get()
            let metadata = try ProviderMetadata.parse(document, from: metadataURL).get()
            let keySet = try get(metadata.keySetURL).get()
            guard let keys = JSONWebKeySet(parsing: keySet) else {
                let url = metadata.keySetURL.text
                throw .unusable(
                    "the document at '\(url)' is not a key set with keys for signatures"
                )
            }
            let snapshot = Snapshot(metadata: metadata, keys: keys, fetchedAt: now)
            return .success(CachedMetadata(snapshot, document: document, keySet: keySet))
        } catch { return .failure(error) }
    }

    /// The target of a redirect without its query, which may contain anything; empty for other
    /// answers.
    static func redirectText(_ response: HTTPResponse) -> String {
        guard response.status.kind == .redirection,
            let location = response.headerFields[.location]
        else { return "" }
        let target = String(location.prefix { $0 != "?" && $0 != "#" })
        return ", a redirect to '\(DisplayText.clean(target, maximumLength: 200))'"
    }

    private func get(_ url: WebURL) -> Result<[UInt8], ProviderError> {
        let request = HTTPRequest(.get, url, [.accept: "application/json"])
        do {
            let (response, body) = try environment.send(request, [])
            // Entra explains a wrong tenant in the body of a 400.
            guard response.status == .ok || response.status == .badRequest else {
                let answer = "\(response.status.code)\(Self.redirectText(response))"
                return .failure(.init("'\(url.text)' answered \(answer)"))
            }
            return .success(body)
        } catch {
            return .failure(.init("'\(url.text)' cannot be reached: \(error)"))
        }
    }
}
