import HTTPTypes

/// The scopes of a request, sorted by the API that each belongs to
/// (Microsoft, "Scopes and permissions in the Microsoft identity platform").
struct RequestedScopes: Sendable {
    /// The scopes of one API.
    struct Group: Sendable {
        let resource: Resource
        /// The text before the last slash; empty for Graph.
        let identifier: String
        /// Without the identifier.
        let names: [String]
    }

    /// The scopes of OpenID Connect, which belong to no API.
    static let openID: Set = ["openid", "profile", "email", "offline_access"]
    /// Requests with more scopes are refused, so that none takes long or much memory.
    private static let maximumScopes = 200
    private static let maximumBytes = 8192

    let scopes: [String]
    /// In the order of the request.
    let groups: [Group]

    /// - Throws: Entra's error if the scopes cannot be combined.
    init(
        _ scopes: [String],
        _ authority: Authority,
        _ finder: AuthorityFinder
    ) throws(ProtocolError) {
        guard scopes.count <= Self.maximumScopes,
            scopes.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumBytes
        else {
            throw .invalidRequest(28004, "The value of 'scope' has more scopes than are allowed.")
        }
        var names: [(identifier: String, names: [String])] = []
        for scope in scopes where !Self.openID.contains(scope) {
            let (identifier, name) = Self.split(scope)
            guard !name.isEmpty else {
                throw Self.invalid("'\(scope)' does not end with the name of a scope.")
            }
            if let index = names.firstIndex(where: { $0.identifier == identifier }) {
                if !names[index].names.contains(name) { names[index].names.append(name) }
            } else {
                names.append((identifier, [name]))
            }
        }
        let isAlone = names.count == 1 && names[0].names.count == 1
        if !isAlone, names.contains(where: { $0.names.contains(".default") }) {
            throw Self.invalid("'.default' cannot be combined with other scopes of a resource.")
        }
        var groups: [Group] = []
        for (identifier, names) in names {
            let resource = try Resource(identifier, authority, finder)
            try Self.checkExposed(names, resource)
            groups.append(Group(resource: resource, identifier: identifier, names: names))
        }
        self.scopes = scopes
        self.groups = groups
    }

    /// Splits the value of a parameter.
    static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: " ").map(String.init)
    }

    /// The API that the access token is for: the first one named.
    var resource: Resource { groups.first?.resource ?? .graph }

    /// `scp`: the names of the scopes that are granted.
    ///
    /// `.default` stands for all scopes of the API.
    var granted: [String] {
        guard let group = groups.first else { return [] }
        guard case .application(let api, _) = group.resource, group.names == [".default"] else {
            return group.names
        }
        return api.scopes
    }

    /// `scope` of the token endpoint's answer: those of the access token's API.
    var answered: [String] {
        if case .graph = resource {
            let openID = Self.openID.subtracting(["offline_access"])
            let listed = scopes.filter { openID.contains($0) || isOfFirst($0) }
            // Entra also lists scopes that were consented to before.
            return listed.contains("User.Read") ? listed : listed + ["User.Read"]
        }
        guard let group = groups.first else { return [] }
        let names = granted + group.names.filter { !granted.contains($0) }
        return names.map { "\(group.identifier)/\($0)" }
    }

    private func isOfFirst(_ scope: String) -> Bool {
        !Self.openID.contains(scope) && Self.split(scope).identifier == groups.first?.identifier
    }

    /// Refuses scopes of several APIs, because a token is for one API.
    func requireOneResource() throws(ProtocolError) {
        guard groups.count > 1 else { return }
        throw .invalidRequest(
            28000,
            "The value of 'scope' names several resources; a token is for one resource."
        )
    }

    /// The identifier of the API, and the name of the scope.
    private static func split(_ scope: String) -> (identifier: String, name: String) {
        guard let slash = scope.lastIndex(of: "/") else { return ("", scope) }
        return (String(scope[..<slash]), String(scope[scope.index(after: slash)...]))
    }

    /// Refuses scopes that an API of the directory does not expose; the scopes of Microsoft's
    /// services are not checked.
    private static func checkExposed(
        _ names: [String],
        _ resource: Resource
    ) throws(ProtocolError) {
        guard case .application(let api, _) = resource else { return }
        guard let name = names.first(where: { $0 != ".default" && !api.scopes.contains($0) })
        else { return }
        throw ProtocolError(
            "invalid_client",
            650_053,
            "The application asked for the scope '\(name)', which does not exist on the resource"
                + " '\(api.clientID)'.",
            status: .badRequest
        )
    }

    private static func invalid(_ message: String) -> ProtocolError {
        ProtocolError("invalid_scope", 70011, "The value of 'scope' is not valid: \(message)")
    }
}
