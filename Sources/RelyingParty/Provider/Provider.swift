import HTTPTypes
import JOSE
import Synchronization

/// The provider's metadata and keys, fetched when needed and kept while they hold.
///
/// Nothing here is on the way of a check: with the provider unreachable, readers who are signed in
/// notice nothing. Where there is a thread for it (``Environment/wakeMaintenance``), that one alone
/// fetches; the others tell it so, and wait if they are threads that may wait.
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
        /// Between attempts of the upkeep, where nobody waits for one.
        static let maintenancePause = 60
    }

    /// How long a thread that may wait does so, in milliseconds.
    private enum Timeout {
        /// For metadata and keys, without which nobody can sign in.
        static let documents = 10_000
        /// For a sign that the provider answers; a reader who is signed in can go on without.
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
        /// Attempts that have begun, and that have ended.
        var begun = 0
        var ended = 0
        /// Whether somebody waits for the next one.
        var isWanted = false

        func holds(at now: NumericDate) -> Snapshot? {
            snapshot.flatMap { now - $0.fetchedAt < Interval.expiry ? $0 : nil }
        }

        func mayRetry(at now: NumericDate) -> Bool {
            attemptedAt.map { now - $0 >= Interval.retry || now < $0 } ?? true
        }
        /// Whether the snapshot is an earlier process's.
        var isKept = false
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
            let kept = CachedMetadata(parsing: bytes, for: metadataURL, at: environment.now())
        else { return }
        state.withLock { state in
            state.snapshot = kept.snapshot
            state.isKept = true
        }
    }

    /// Metadata and keys, fetched now if there are none that hold; for threads that may wait.
    func current() throws(ProviderError) -> Snapshot {
        if let snapshot = state.withLock({ $0.holds(at: environment.now()) }) { return snapshot }
        return try fetch(waiting: Timeout.documents) { $0.mayRetry(at: $1) }
    }

    /// The metadata for threads that must not wait, but for the first moments of a process.
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
        return try fetch(waiting: Timeout.documents) { _, _ in true }.keys.keys(named: keyID)
    }

    enum Refresh: Equatable {
        case nothingToDo
        case fetched
        case failed(ProviderError)
    }

    /// Fetches if what there is has become old, or somebody waits for it.
    ///
    /// - Returns: what is worth telling; whoever waited tells what became of it.
    func refresh() -> Refresh {
        let now = environment.now()
        let (isDue, isOld) = state.withLock { state in
            defer { state.isWanted = false }
            // What an earlier process fetched serves until there is an answer: whoever restarts us
            // after the provider has moved does not want to wait for an hour. A process for each
            // request would ask each time.
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

    /// What is known of whether the provider answers, without asking it.
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

    /// Why the provider cannot be asked just now, or `nil` if it answers; asks it where that is
    /// unknown, and waits.
    ///
    /// For those who would rather wait than be sent to where nothing answers.
    func failure(at now: NumericDate) -> ProviderError? {
        switch reachability(at: now) {
        case .reached: return nil
        case .failing(let error): return error
        case .unknown: break
        }
        do {
            _ = try fetch(waiting: Timeout.liveness) { state, now in
                // Others may have waited for the answer that never came.
                guard state.isFailing, let attempted = state.attemptedAt else { return true }
                return !(0..<Interval.outage).contains(now - attempted)
            }
            return nil
        } catch { return error }
    }

    /// Fetches on this thread, or has it done and waits.
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

    /// What the next attempt of the other thread brings.
    ///
    /// One that has begun already may have missed what is waited for.
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
        // The attempt goes on; whoever comes meanwhile need not wait for it as well.
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
        // Without a file, the next start asks the provider; nothing else is lost.
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
                throw .unusable("the document at '\(url)' is not a key set with RSA keys")
            }
            let snapshot = Snapshot(metadata: metadata, keys: keys, fetchedAt: now)
            return .success(CachedMetadata(snapshot, document: document, keySet: keySet))
        } catch { return .failure(error) }
    }

    /// Where a redirect leads, without its query, which may hold anything; empty for other answers.
    static func redirectText(_ response: HTTPResponse) -> String {
        guard response.status.kind == .redirection,
            let location = response.headerFields[.location]
        else { return "" }
        let target = String(location.prefix { $0 != "?" && $0 != "#" })
        return ", a redirect to '\(DisplayText.clean(target, maximumLength: 200))'"
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
                let answer = "\(response.status.code)\(Self.redirectText(response))"
                return .failure(.init("'\(url.text)' answered \(answer)"))
            }
            return .success(body)
        } catch {
            return .failure(.init("'\(url.text)' cannot be reached: \(error)"))
        }
    }
}
