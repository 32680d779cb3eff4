import Synchronization

/// The faults that are switched on.
final class Faults: Sendable {
    struct Setting: Sendable, Equatable {
        /// Whether the fault switches itself off after its first use.
        var isOnce: Bool
        /// For a fault of any endpoint, the endpoint that has it; `nil` for all endpoints.
        var endpoint: Endpoint?
        var seconds = 5
        var number = 0
    }

    private let settings = Mutex<[Fault: Setting]>([:])

    var all: [Fault: Setting] { settings.withLock { $0 } }

    func set(_ fault: Fault, _ setting: Setting) { settings.withLock { $0[fault] = setting } }

    func clear(_ fault: Fault) { settings.withLock { $0[fault] = nil } }

    func clear() { settings.withLock { $0 = [:] } }

    /// The setting of a fault that applies now; a fault for one use is switched off.
    func take(_ fault: Fault, at endpoint: Endpoint? = nil) -> Setting? {
        settings.withLock { settings in
            guard let setting = settings[fault],
                setting.endpoint == nil || endpoint == nil || setting.endpoint == endpoint
            else { return nil }
            if setting.isOnce { settings[fault] = nil }
            return setting
        }
    }

    /// Whether a fault applies now; a fault for one use is switched off.
    func consume(_ fault: Fault) -> Bool { take(fault) != nil }

    /// The faults of a target that apply now.
    func take(of target: Fault.Target) -> [Fault] {
        Fault.allCases.filter { $0.target == target && consume($0) }
    }
}
