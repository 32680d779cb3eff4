import Jansson

/// The changes that a test has made so far, as JSON.
struct EmulatorState: Sendable {
    let emulator: Emulator

    var json: JSON {
        let faults = emulator.faults.all.sorted { $0.key.rawValue < $1.key.rawValue }
        return [
            "time": .string(UniversalTime.text(emulator.now())),
            "clock_offset": .integer(emulator.clockOffset),
            "faults": .array(faults.map(Self.fault)),
            "users": .array(
                emulator.directory.accounts.map { account in
                    [
                        "object_id": .string(account.id), "name": .string(account.user.name),
                        "user_name": .string(account.user.userName),
                        "tenant": .string(account.tenant.id),
                        "disabled": .bool(account.user.isDisabled),
                        "roles": .array(account.user.roles.map(JSON.string)),
                    ]
                }
            ),
        ]
    }

    private static func fault(_ fault: Fault, _ setting: Faults.Setting) -> JSON {
        var members: JSON.Members = [
            "name": .string(fault.rawValue),
            "until": .string(setting.isOnce ? "once" : "further-notice"),
        ]
        members["endpoint"] = setting.endpoint.map { .string($0.rawValue) }
        if fault.target == .anyEndpoint { members["seconds"] = .integer(setting.seconds) }
        if setting.number != 0 { members["number"] = .integer(setting.number) }
        return .object(members)
    }
}
