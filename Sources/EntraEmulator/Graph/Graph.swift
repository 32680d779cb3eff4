import HTTPTypes
import Jansson

/// Microsoft Graph, as far as it is about the user who is signed in and their groups.
struct Graph: Sendable {
    let emulator: Emulator
    let origin: Origin

    func respond(to request: EmulatorRequest) -> EmulatorResponse {
        do { return .json(.ok, try answer(request)) } catch { return error.response(emulator) }
    }

    private func answer(_ request: EmulatorRequest) throws(GraphError) -> JSON {
        let path = request.path.split(separator: "/").dropFirst().joined(separator: "/")
        if let directory = DirectoryGraph(request, emulator, origin) {
            if emulator.faults.consume(.graphForbidden) { throw .forbidden }
            return try directory.answer(path, request)
        }
        guard let grant = BearerGrant(request, emulator),
            let account = emulator.directory.account(grant.objectID), !account.user.isDisabled
        else { throw .unauthenticated }
        if emulator.faults.consume(.graphForbidden) { throw .forbidden }
        if path == "me" { return me(account) }
        guard account.tenant.kind != .consumers else {
            throw .bad("Personal accounts have no groups.")
        }
        let body = (try? JSON(parsing: request.body)) ?? .null
        switch (request.http.method, path) {
        case (.post, "me/getMemberObjects"), (.post, "me/getMemberGroups"):
            guard body["securityEnabledOnly"]?.bool != nil else {
                throw .bad("'securityEnabledOnly' must be true or false.")
            }
            return context("Collection(Edm.String)", account.user.groups.map(JSON.string))
        case (.post, "me/checkMemberGroups"):
            guard let asked = body["groupIds"]?.strings, (1...20).contains(asked.count) else {
                throw .bad("'groupIds' must list 1 to 20 ids.")
            }
            let found = asked.filter { account.user.groups.contains($0.lowercased()) }
            return context("Collection(Edm.String)", found.map(JSON.string))
        case (.get, "me/memberOf"), (.get, "me/transitiveMemberOf"),
            (.get, "me/memberOf/microsoft.graph.group"),
            (.get, "me/transitiveMemberOf/microsoft.graph.group"):
            return page(account, request)
        default:
            throw GraphError(
                status: .notFound,
                code: "ResourceNotFound",
                message: "'\(path)' is not emulated."
            )
        }
    }

    private func me(_ account: Account) -> JSON {
        let user = account.user
        var members: JSON.Members = [
            "@odata.context": .string("\(origin.text)/v1.0/$metadata#users/$entity"),
            "displayName": .string(user.name),
        ]
        members["givenName"] = user.givenName.map(JSON.string) ?? .null
        members["surname"] = user.familyName.map(JSON.string) ?? .null
        members["mail"] = user.email.map(JSON.string) ?? .null
        members["userPrincipalName"] = .string(user.userName)
        members["id"] = .string(user.objectID)
        return .object(members)
    }

    /// A page of groups, with the URL of the next page.
    ///
    /// The groups' names are empty, because the application has only `User.Read`.
    private func page(_ account: Account, _ request: EmulatorRequest) -> JSON {
        let items = QueryItems(request.query)
        let size = min(max(items["$top"].flatMap(Int.init) ?? 100, 1), 999)
        let start = max(items["$skiptoken"].flatMap(Int.init) ?? 0, 0)
        let groups = account.user.groups.dropFirst(start).prefix(size)
        let values = groups.map { id -> JSON in
            ["@odata.type": "#microsoft.graph.group", "id": .string(id), "displayName": .null]
        }
        guard case .object(var members) = context("directoryObjects", Array(values)) else {
            return .null
        }
        if start + groups.count < account.user.groups.count {
            var next = items.items.filter { $0.name != "$skiptoken" }.map { ($0.name, $0.value) }
            next.append(("$skiptoken", "\(start + groups.count)"))
            members["@odata.nextLink"] = .string(
                "\(origin.text)\(request.path)?\(QueryItems.encode(next))"
            )
        }
        return .object(members)
    }

    private func context(_ type: String, _ values: [JSON]) -> JSON {
        [
            "@odata.context": .string("\(origin.text)/v1.0/$metadata#\(type)"),
            "value": .array(values),
        ]
    }
}

extension GraphError: Error {}
