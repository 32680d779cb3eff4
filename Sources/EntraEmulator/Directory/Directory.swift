import JOSE
import Jansson

/// The emulated directory: tenants with their users and applications.
public struct Directory: Sendable {
    public var tenants: [Tenant]
    /// The number of random bytes in an authorization code; real codes are long too.
    public var codeBytes = 480

    /// The tenant that a GUID or a verified domain names.
    func tenant(named name: String) -> Tenant? {
        let name = name.lowercased()
        return tenants.first { $0.id == name || $0.domains.contains(name) }
    }

    /// An application, and the tenant in which it is registered.
    func application(_ clientID: String) -> (application: Application, home: Tenant)? {
        for tenant in tenants {
            if let found = tenant.applications.first(where: { $0.clientID == clientID }) {
                return (found, tenant)
            }
        }
        return nil
    }

    func account(_ objectID: String) -> Account? {
        for tenant in tenants {
            if let user = tenant.users.first(where: { $0.objectID == objectID }) {
                return Account(user: user, tenant: tenant)
            }
        }
        return nil
    }

    /// All accounts, in the order of the file.
    var accounts: [Account] {
        tenants.flatMap { tenant in tenant.users.map { Account(user: $0, tenant: tenant) } }
    }

    mutating func remove(_ objectID: String) {
        for index in tenants.indices {
            tenants[index].users.removeAll { $0.objectID == objectID }
        }
    }

    /// Changes a user of any tenant.
    ///
    /// - Returns: whether the user exists.
    mutating func change(_ objectID: String, _ change: (inout User) -> Void) -> Bool {
        for index in tenants.indices {
            if let user = tenants[index].users.firstIndex(where: { $0.objectID == objectID }) {
                change(&tenants[index].users[user])
                return true
            }
        }
        return false
    }
}

/// A user and their tenant.
struct Account: Sendable {
    let user: User
    let tenant: Tenant

    var id: String { user.objectID }

    /// The `client_info` by which Microsoft's libraries distinguish accounts.
    var clientInfo: String {
        let json: JSON = ["uid": .string(user.objectID), "utid": .string(tenant.id)]
        return Base64URL.encode(Array(json.text.utf8))
    }
}
