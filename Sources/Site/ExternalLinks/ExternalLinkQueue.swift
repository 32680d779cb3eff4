import Synchronization

/// The URLs that are still to be checked, handed out so that no host gets too many requests at
/// once.
final class ExternalLinkQueue: Sendable {
    enum Turn: Equatable {
        case address(ExternalAddress)
        /// All remaining URLs belong to hosts that are busy.
        case wait
        case finished
    }

    private struct State {
        /// By host, in reverse order.
        var waiting: [String: [ExternalAddress]]
        var busy: [String: Int] = [:]
    }

    private let state: Mutex<State>
    private let perHost: Int

    init(_ addresses: [ExternalAddress], perHost: Int) {
        state = Mutex(State(waiting: Dictionary(grouping: addresses.reversed(), by: \.authority)))
        self.perHost = perHost
    }

    func next() -> Turn {
        state.withLock { state in
            if state.waiting.isEmpty { return .finished }
            let free = state.waiting.first { host, _ in state.busy[host, default: 0] < perHost }
            guard let host = free?.key, let address = state.waiting[host]?.popLast() else {
                return .wait
            }
            if state.waiting[host]?.isEmpty == true { state.waiting[host] = nil }
            state.busy[host, default: 0] += 1
            return .address(address)
        }
    }

    /// Must be called for each URL that was handed out.
    func finish(_ address: ExternalAddress) {
        state.withLock { $0.busy[address.authority, default: 1] -= 1 }
    }
}
