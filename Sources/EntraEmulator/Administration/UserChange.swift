/// A change that an administrator of the directory makes to an account.
enum UserChange: String, Sendable, CaseIterable {
    case disable, enable, delete
    /// Sessions at Microsoft and refresh tokens end.
    case revokeSessions = "revoke-sessions"
    /// Sessions and refresh tokens end, as after a reset in the admin center.
    case resetPassword = "reset-password"
    /// Sessions and refresh tokens stay; a confidential client is not told.
    case changePassword = "change-password"
    case addRole = "add-role"
    case removeRole = "remove-role"
    case addGroup = "add-group"
    case removeGroup = "remove-group"
    case rename

    /// - Returns: whether the account exists.
    func carryOut(on objectID: String, _ value: String, _ emulator: Emulator) -> Bool {
        switch self {
        case .disable: return emulator.change(objectID) { $0.isDisabled = true }
        case .enable: return emulator.change(objectID) { $0.isDisabled = false }
        case .delete: return emulator.delete(objectID)
        case .revokeSessions, .resetPassword:
            let now = emulator.now()
            emulator.sessions.revoke(objectID)
            emulator.tokens.revoke(objectID, now: now)
            return emulator.change(objectID) { $0.sessionsValidFrom = now }
        case .changePassword: return emulator.directory.account(objectID) != nil
        case .addRole: return emulator.change(objectID) { $0.roles.append(value) }
        case .removeRole:
            return emulator.change(objectID) { $0.roles.removeAll { $0 == value } }
        case .addGroup: return emulator.change(objectID) { $0.groups.append(value) }
        case .removeGroup:
            return emulator.change(objectID) { $0.groups.removeAll { $0 == value } }
        case .rename: return emulator.change(objectID) { $0.name = value }
        }
    }
}
