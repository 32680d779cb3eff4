import Synchronization

/// The faults that are switched on.
final class Faults: Sendable {
    struct Setting: Sendable, Equatable {
        /// Whether it goes off after it has shown once.
        var isOnce: Bool
        /// For a fault of any endpoint, the one that has it; `nil` is each of them.
        var endpoint: Endpoint?
        var seconds = 5
        var number = 0
    }

    private let settings = Mutex<[Fault: Setting]>([:])

    var all: [Fault: Setting] { settings.withLock { $0 } }

    func set(_ fault: Fault, _ setting: Setting) { settings.withLock { $0[fault] = setting } }

    func clear(_ fault: Fault) { settings.withLock { $0[fault] = nil } }

    func clear() { settings.withLock { $0 = [:] } }

    /// The setting of a fault that is to show now; one that was for once is off afterwards.
    func take(_ fault: Fault, at endpoint: Endpoint? = nil) -> Setting? {
        settings.withLock { settings in
            guard let setting = settings[fault],
                setting.endpoint == nil || endpoint == nil || setting.endpoint == endpoint
            else { return nil }
            if setting.isOnce { settings[fault] = nil }
            return setting
        }
    }

    func shows(_ fault: Fault) -> Bool { take(fault) != nil }

    /// The faults of a place that are to show now.
    func take(of target: Fault.Target) -> [Fault] {
        Fault.allCases.filter { $0.target == target && shows($0) }
    }
}
