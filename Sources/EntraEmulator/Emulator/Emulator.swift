import OpenSSL
import Synchronization

/// Behaves as Entra does at the endpoints that applications use.
///
/// It lets anybody sign in as anybody, so it serves this machine only.
public final class Emulator: Sendable {
    /// The origin that browsers and applications use.
    public let base: Origin
    let sessions = BrowserSessions()
    let codes = Codes()
    let deviceCodes = DeviceCodes()
    let tokens = IssuedTokens()
    let consents = Consents()
    let faults = Faults()
    let events = Events()

    private let original: (directory: Directory, keys: SigningKeys)
    private let state: Mutex<State>
    private let clock: @Sendable () -> Int
    /// Returns that many random bytes.
    let random: @Sendable (Int) -> [UInt8]

    private struct State: Sendable {
        var directory: Directory
        var keys: SigningKeys
        /// Seconds by which the clock was moved.
        var clockOffset = 0
        /// Who has joined or left a group, in this order.
        var groupChanges: [GroupChange] = []
    }

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - random: returns that many random bytes.
    public init(
        _ directory: Directory,
        base: Origin,
        keys: SigningKeys,
        now: @escaping @Sendable () -> Int,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.base = base
        original = (directory, keys)
        state = Mutex(State(directory: directory, keys: keys))
        clock = now
        self.random = random
    }

    var directory: Directory { state.withLock(\.directory) }
    var keys: SigningKeys { state.withLock(\.keys) }
    var groupChanges: [GroupChange] { state.withLock(\.groupChanges) }
    var clockOffset: Int { state.withLock(\.clockOffset) }
    var finder: AuthorityFinder { AuthorityFinder(directory: directory, base: base) }

    /// Seconds since 1970 on the emulator's clock, which a test may have moved.
    func now() -> Int { clock() + clockOffset }

    func guid() -> String { GUID.text(random(16)) }

    func correlation() -> ProtocolError.Correlation {
        ProtocolError.Correlation(
            traceID: guid(),
            correlationID: guid(),
            time: UniversalTime.text(now())
        )
    }

    func moveClock(to offset: Int) { state.withLock { $0.clockOffset = offset } }

    /// Changes a user.
    ///
    /// - Returns: whether the user exists.
    func change(_ objectID: String, _ change: (inout User) -> Void) -> Bool {
        state.withLock { state in
            let former = Set(state.directory.account(objectID)?.user.groups ?? [])
            guard state.directory.change(objectID, change) else { return false }
            let groups = Set(state.directory.account(objectID)?.user.groups ?? [])
            state.groupChanges += groups.symmetricDifference(former).sorted().map {
                GroupChange(group: $0, user: objectID, isMember: groups.contains($0))
            }
            return true
        }
    }

    /// Deletes a user.
    ///
    /// - Returns: whether the user existed.
    func delete(_ objectID: String) -> Bool {
        guard change(objectID, { $0.groups = [] }) else { return false }
        state.withLock { $0.directory.remove(objectID) }
        return true
    }

    func change(_ change: SigningKeys.Change, _ family: SigningKeys.Family) throws(OpenSSLError) {
        // Creating a key takes a while, and other requests must not wait for it.
        var keys = self.keys
        try keys.change(change, family)
        state.withLock { $0.keys = keys }
    }

    /// Resets users, keys, clock and faults to their state at the start.
    func reset() {
        state.withLock { state in
            state = State(directory: original.directory, keys: original.keys)
        }
        faults.clear()
        events.clear()
    }
}
