import Diagnostics
import Settings

extension User {
    /// Reads a `[[tenant.user]]`.
    init(_ table: SettingsTable, groups known: [Group]) {
        let objectID = table.guid("object_id")
        let count = table.integer("group_count") ?? 0
        if !(0...5000).contains(count) {
            table.report("'group_count' is \(count); it must be 0 to 5000", at: "group_count")
        }
        let unnamed = (0..<max(0, min(count, 5000))).map { OpaqueID.guid(of: "\(objectID) \($0)") }
        self.init(
            objectID: objectID,
            name: table.required("name"),
            userName: table.required("user_name"),
            email: table.string("email"),
            isEmailDomainVerified: table.bool("email_domain_verified") ?? true,
            givenName: table.string("given_name"),
            familyName: table.string("family_name"),
            kind: table.word("kind", Kind.member),
            home: table.string("home"),
            roles: table.strings("roles") ?? [],
            groups: Self.groups(table, known) + unnamed,
            isDisabled: table.bool("disabled") ?? false,
            needsSecondFactor: table.bool("mfa") ?? false,
            refusedWith: table.integer("refused_with")
        )
        table.refuseUnknownKeys()
        if (kind == .guest) != (home != nil) {
            table.report(
                kind == .guest
                    ? "'home' is missing; it is the id of the guest's own tenant, or 'live.com'"
                    : "'home' is for users of kind 'guest'",
                at: "home"
            )
        }
        if let number = refusedWith, ProtocolError.catalogued(number) == nil {
            table.report(
                "'refused_with' is \(number), which the emulator does not know",
                at: "refused_with"
            )
        }
    }

    private static func groups(_ table: SettingsTable, _ known: [Group]) -> [String] {
        (table.strings("groups") ?? []).enumerated().compactMap { index, name in
            if let id = known.id(named: name) { return id }
            let hint = NearestName.hint(name, in: known.map(\.name))
            let message = "group '\(name)' is neither a [[tenant.group]] nor a GUID\(hint)"
            table.report(message, at: "groups", element: index)
            return nil
        }
    }
}
