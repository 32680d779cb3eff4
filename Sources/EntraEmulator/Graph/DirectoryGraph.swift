import HTTPTypes
import JOSE
import Jansson

/// The part of Microsoft Graph about accounts and groups, for an application that acts for itself.
///
/// It has what siteauth asks for; another question gets Graph's error.
struct DirectoryGraph: Sendable {
    let emulator: Emulator
    let origin: Origin
    let application: Application
    let tenant: Tenant

    /// - Returns: `nil` for a token of a user, and for none.
    init?(_ request: EmulatorRequest, _ emulator: Emulator, _ origin: Origin) {
        guard let token = request.bearerToken.flatMap({ emulator.tokens[$0] }), token.grant == nil,
            emulator.now() - token.issuedAt < token.lifetime,
            let (application, tenant) = emulator.directory.application(token.clientID)
        else { return nil }
        (self.emulator, self.origin, self.application) = (emulator, origin, application)
        self.tenant = tenant
    }

    /// - Parameter path: behind `/v1.0/`.
    func answer(
        _ path: String,
        _ request: EmulatorRequest
    ) throws(GraphError) -> JSON {
        let items = QueryItems(request.query)
        switch (request.http.method, path) {
        case (.post, "$batch"): return try batch(request)
        case (.get, "users"):
            try require("User.Read.All")
            return try users(items)
        case (.get, "groups/delta"):
            try require("GroupMember.Read.All")
            return try changes(items)
        default:
            let id = path.hasPrefix("users/") ? String(path.dropFirst(6)).lowercased() : ""
            guard request.http.method == .get, GUID.isOne(id) else {
                throw GraphError(
                    status: .notFound,
                    code: "ResourceNotFound",
                    message: "'\(path)' is not emulated."
                )
            }
            try require("User.Read.All")
            guard let user = tenant.users.first(where: { $0.objectID == id }) else {
                throw GraphError(
                    status: .notFound,
                    code: "Request_ResourceNotFound",
                    message: "Resource '\(id)' does not exist."
                )
            }
            return .object(try selected(user, items))
        }
    }

    private func require(_ permission: String) throws(GraphError) {
        let name = "https://graph.microsoft.com/\(permission)"
        guard application.applicationPermissions.contains(name) else { throw .forbidden }
    }

    private func batch(_ request: EmulatorRequest) throws(GraphError) -> JSON {
        let questions = (try? JSON(parsing: request.body))?["requests"]?.array ?? []
        guard (1...20).contains(questions.count) else {
            throw .bad("A batch must have 1 to 20 requests.")
        }
        var responses: [JSON] = []
        for question in questions {
            guard let id = question["id"]?.string, let url = question["url"]?.string,
                question["method"] == "GET", url.hasPrefix("/")
            else { throw .bad("A request of a batch needs 'id', 'method' and 'url'.") }
            var single = request
            single.http.method = .get
            single.http.path = "/v1.0" + url
            single.body = []
            var members: JSON.Members = ["id": .string(id)]
            do throws(GraphError) {
                let path = String(single.path.dropFirst("/v1.0/".utf8.count))
                members["status"] = 200
                members["body"] = try answer(path, single)
            } catch {
                let response = error.response(emulator)
                members["status"] = .integer(response.http.status.code)
                members["body"] = (try? JSON(parsing: response.body)) ?? .null
            }
            responses.append(.object(members))
        }
        return ["responses": .array(responses)]
    }

    private func users(_ items: QueryItems) throws(GraphError) -> JSON {
        try allow(["$filter", "$select", "$top"], in: items)
        var users = tenant.users
        if let filter = items["$filter"] {
            guard filter.hasPrefix("id in ("), filter.hasSuffix(")") else {
                throw Self.unsupported("'\(filter)'")
            }
            let ids = try Self.ids(filter.dropFirst(7).dropLast().split(separator: ","), limit: 15)
            users = users.filter { ids.contains($0.objectID) }
        }
        if let top = items["$top"].flatMap(Int.init) { users = Array(users.prefix(top)) }
        var values: [JSON] = []
        for user in users { values.append(.object(try selected(user, items))) }
        return [
            "@odata.context": .string("\(origin.text)/v1.0/$metadata#users"),
            "value": .array(values),
        ]
    }

    private func selected(
        _ user: User,
        _ items: QueryItems
    ) throws(GraphError) -> JSON.Members {
        var members: JSON.Members = [:]
        for name in (items["$select"] ?? "id").split(separator: ",") {
            switch name {
            case "id": members["id"] = .string(user.objectID)
            case "accountEnabled": members["accountEnabled"] = .bool(!user.isDisabled)
            case "signInSessionsValidFromDateTime":
                let text = UniversalTime.text(user.sessionsValidFrom ?? 1_500_000_000)
                members["signInSessionsValidFromDateTime"] = .string(
                    text.split(separator: " ").joined(separator: "T")
                )
            default: throw Self.unsupported("'\(name)'")
            }
        }
        return members
    }

    // MARK: - Groups

    private func changes(_ items: QueryItems) throws(GraphError) -> JSON {
        try allow(["$filter", "$select", "$deltatoken"], in: items)
        let all = emulator.groupChanges
        guard let token = items["$deltatoken"] else {
            throw Self.unsupported("a question for all members")
        }
        var (start, groups) = (all.count, "")
        if token == "latest" {
            guard items["$select"] == "members" else { throw Self.unsupported("another '$select'") }
            let terms = items["$filter"].map { $0.split(separator: " or ") } ?? []
            for term in terms where !term.hasPrefix("id eq ") {
                throw Self.unsupported("'\(term)'")
            }
            groups = try Self.ids(terms.map { $0.dropFirst(6) }, limit: 50).sorted()
                .joined(separator: ",")
        } else {
            let parts = Base64URL.decode(token).map { String(decoding: $0, as: UTF8.self) }?
                .split(separator: " ", omittingEmptySubsequences: false)
            guard let parts, parts.count == 2, let number = Int(parts[0]),
                (0...all.count).contains(number)
            else {
                throw GraphError(
                    status: .gone,
                    code: "syncStateNotFound",
                    message: "The delta token is unknown or too old."
                )
            }
            (start, groups) = (number, String(parts[1]))
        }
        let watched = groups.split(separator: ",").map(String.init)
        let changed = all[start...].filter { watched.isEmpty || watched.contains($0.group) }
        let link = Base64URL.encode(Array("\(all.count) \(groups)".utf8))
        return [
            "@odata.context": .string("\(origin.text)/v1.0/$metadata#groups"),
            "@odata.deltaLink": .string("\(origin.text)/v1.0/groups/delta?$deltatoken=\(link)"),
            "value": .array(changed.map(\.json)),
        ]
    }

    private func allow(_ names: [String], in items: QueryItems) throws(GraphError) {
        for item in items.items where !names.contains(item.name) {
            throw Self.unsupported("'\(item.name)'")
        }
    }

    private static func ids(
        _ quoted: [Substring],
        limit: Int
    ) throws(GraphError) -> Set<String> {
        let ids = quoted.map { $0.filter { $0 != "'" && $0 != " " }.lowercased() }
        guard ids.count <= limit, ids.allSatisfy(GUID.isOne) else {
            throw .bad("Too many child clauses specified in search filter expression, or no ids.")
        }
        return Set(ids)
    }

    private static func unsupported(_ what: String) -> GraphError {
        GraphError(
            status: .badRequest,
            code: "Request_UnsupportedQuery",
            message: "\(what) is not emulated."
        )
    }
}

extension GroupChange {
    fileprivate var json: JSON {
        var member: JSON.Members = [
            "@odata.type": "#microsoft.graph.user", "id": .string(user),
        ]
        if !isMember { member["@removed"] = ["reason": "deleted"] }
        return ["id": .string(group), "members@delta": [.object(member)]]
    }
}
