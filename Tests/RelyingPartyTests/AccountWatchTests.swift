import HTTPTypes
import Jansson
import Testing

@testable import EntraEmulator
@testable import RelyingParty
@testable import SiteauthConfiguration

/// Those who have signed in, and what Microsoft Graph says of them later.
@Suite struct AccountWatchTests {
    static let board = "b0a2d000-0000-4000-8000-00000000b0a2"
    private static let name =
        "account-ca4010000000400080000000000000"
        + "0c-11111111aaaa40008000000000000001"

    /// Carol is signed in, and Graph was asked once.
    static func world(_ settings: String = "graph_poll_seconds = 60") throws -> World {
        // Sessions that nothing else ends or renews for hours.
        let calm = "revalidate_after_seconds = 0\nsession_idle_seconds = 86400"
        let world = try World("\(settings)\n\(calm)")
        world.signIn(Person.carol)
        #expect(world.check("/") == .noContent)
        let begun = world.relyingParty.watchAccounts().map(\.text)
        #expect(begun == (settings.hasSuffix("= 0") ? [] : ["accounts are watched"]))
        return world
    }

    /// What is logged a minute later.
    static func nextRound(_ world: World, after seconds: Int = 60) -> [Event] {
        world.advance(seconds: seconds)
        return world.relyingParty.watchAccounts()
    }

    static func change(_ world: World, _ change: String, _ value: String = "") throws {
        try world.order(
            "/users/\(Person.carol)",
            ["change": .string(change), "value": .string(value)]
        )
    }

    static let ending: [(change: String, value: String, reason: String)] = [
        ("disable", "", "the account is disabled"), ("delete", "", "the account is deleted"),
        ("revoke-sessions", "", "its sign-ins at Entra were revoked"),
        ("reset-password", "", "its sign-ins at Entra were revoked"),
        ("remove-group", board, "the account has left the security group '\(board)' of board"),
    ]

    @Test(arguments: ending)
    func `who may not read any more is signed out within a round`(
        row: (change: String, value: String, reason: String)
    ) throws {
        let world = try Self.world()
        #expect(Self.nextRound(world) == [])
        world.advance(seconds: 1)
        try Self.change(world, row.change, row.value)
        #expect(world.check("/") == .noContent)
        let events = Self.nextRound(world)
        #expect(events.map(\.level) == [.notice] && events.map(\.kind) == [.revocation])
        #expect(events.first?.text.hasSuffix(": \(row.reason)") == true)
        #expect(events.first?.subject.user == Person.carol)
        #expect(world.check("/") == .unauthorized)
        // It is the revocation of 'siteauth revoke --user', made once.
        #expect(world.state.withLock { Array($0.revoked.keys) } == [Self.name])
        #expect(
            Revocation.account(spelled: Person.carol, tenant: LarkspurTenant.id).name == Self.name
        )
        #expect(Self.nextRound(world) == [])
        // A reader who still may is signed in again, and stays so.
        let isGone = ["disable", "delete"].contains(row.change)
        world.advance(seconds: 1)
        world.signIn(Person.carol)
        #expect(world.check("/") == (isGone ? .unauthorized : .noContent))
        #expect(Self.nextRound(world) == [])
        #expect(world.check("/") == (isGone ? .unauthorized : .noContent))
        // Nobody is let in by what Graph says.
        if row.change == "disable" {
            try Self.change(world, "enable")
            #expect(Self.nextRound(world) == [] && world.check("/") == .unauthorized)
        }
    }

    @Test func `who joins a group is signed in again, and others notice nothing`() throws {
        let world = try World("graph_poll_seconds = 60")
        world.signIn(Person.bob)
        _ = world.relyingParty.watchAccounts()
        #expect(world.check("/board/") == .forbidden)
        try world.order(
            "/users/\(Person.bob)",
            ["change": "add-group", "value": .string(Self.board)]
        )
        // Carol has not signed in here, and another group is not the site's.
        try Self.change(world, "remove-group", Self.board)
        let other: JSON = .string("5ec00000-0000-4000-8000-000000000000")
        try world.order("/users/\(Person.bob)", ["change": "add-group", "value": other])
        #expect(Self.nextRound(world).count == 1 && world.check("/") == .unauthorized)
        world.advance(seconds: 1)
        world.signIn(Person.bob)
        #expect(world.check("/board/") == .noContent)
        for change in ["rename", "add-role", "change-password"] {
            try world.order("/users/\(Person.bob)", ["change": .string(change), "value": "X"])
        }
        #expect(Self.nextRound(world) == [] && world.check("/board/") == .noContent)
    }

    @Test func `what happened while siteauth was away counts as well`() throws {
        for change in ["disable", "revoke-sessions", "delete"] {
            let world = try Self.world()
            world.advance(seconds: 400)
            try Self.change(world, change)
            let process = world.restarted()
            _ = process.refreshProvider()
            let kinds = process.watchAccounts().map(\.kind)
            #expect(kinds == [.revocation, .accountWatch] && world.check("/") == .unauthorized)
        }
    }

    @Test func `the members of a group that is deleted are signed out`() throws {
        let world = try Self.world()
        world.state.withLock {
            $0.answer = Self.instead(
                of: "/v1.0/groups/delta",
                #"{"value":[{"id":"\#(Self.board.uppercased())","@removed":{"reason":"changed"}}],"#
                    + #""@odata.deltaLink":"http://localhost:8081/v1.0/groups/delta?$deltatoken=x"}"#
            )
        }
        #expect(Self.nextRound(world).map(\.kind) == [.revocation])
        #expect(world.check("/") == .unauthorized)
        world.signIn(Person.bob)
        #expect(world.check("/") == .noContent)
    }

    private static func age(_ world: World) -> String? {
        String(decoding: world.relyingParty.status(.metrics).body, as: UTF8.self)
            .split(separator: "\n").first { $0.hasPrefix("siteauth_account_watch_age_seconds ") }
            .map { String($0.dropFirst("siteauth_account_watch_age_seconds ".utf8.count)) }
    }

    @Test func `a Graph that has never answered is seen in the metrics`() throws {
        let world = try World("graph_poll_seconds = 60")
        world.state.withLock { $0.sendsLeft = 0 }
        _ = world.relyingParty.watchAccounts()
        _ = Self.nextRound(world, after: 2000)
        #expect(Self.age(world) == "2000")
    }

    @Test func `without the key nobody is recorded, and Graph is not asked`() throws {
        let world = try Self.world("graph_poll_seconds = 0")
        #expect(Self.age(world) == nil)
        #expect(Self.nextRound(world) == [])
        #expect(world.state.withLock { $0.accounts.isEmpty && $0.graphPaths.isEmpty })
    }

    /// An answer to a path, the same each time.
    static func instead(
        of path: String,
        _ body: String,
        status: Int = 200,
        _ fields: HTTPFields = [:]
    ) -> @Sendable (HTTPRequest, [UInt8]) -> (HTTPResponse, [UInt8])? {
        { request, _ in
            guard request.path?.hasPrefix(path) == true else { return nil }
            return (
                HTTPResponse(status: .init(code: status), headerFields: fields), Array(body.utf8)
            )
        }
    }

    private static let pauses: [(status: Int, retryAfter: String?, seconds: Int)] = [
        (429, "120", 120), (503, "120", 120), (429, "1", 60), (429, "-5", 60), (429, "soon", 120),
        (429, "99999999999", 3600), (503, nil, 120), (429, "Fri, 15 Jan 2027 08:03:00 GMT", 120),
        (500, "900", 120), (403, nil, 60),
    ]

    @Test(arguments: pauses.indices)
    func `Graph is left alone for as long as it wants`(index: Int) throws {
        let (status, retryAfter, seconds) = Self.pauses[index]
        for isInBatch in [false, true] {
            let world = try Self.world()
            var fields: HTTPFields = [:]
            fields[.retryAfter] = retryAfter
            let field = retryAfter.map { #","headers":{"retry-After":"\#($0)"}"# } ?? ""
            let body = #"{"responses":[{"id":"0","status":\#(status)\#(field)}]}"#
            world.state.withLock {
                $0.answer = Self.instead(
                    of: "/v1.0/$batch",
                    isInBatch ? body : "",
                    status: isInBatch ? 200 : status,
                    isInBatch ? [:] : fields
                )
            }
            #expect(Self.nextRound(world).map(\.level) == [.warning])
            world.state.withLock {
                $0.graphPaths = []
                $0.answer = nil
            }
            _ = Self.nextRound(world, after: seconds - 1)
            #expect(world.state.withLock { $0.graphPaths.isEmpty })
            _ = Self.nextRound(world, after: 1)
            #expect(world.state.withLock { $0.graphPaths.count } > 0)
        }
    }

    @Test func `without Graph readers notice nothing, and the pauses grow to a limit`() throws {
        let world = try Self.world()
        world.state.withLock { $0.sendsLeft = 0 }
        #expect(Self.nextRound(world).map(\.level) == [.warning])
        for pause in [120, 240, 480, 900, 900] {
            let sends = world.state.withLock { $0.sends }
            #expect(Self.nextRound(world, after: pause - 1) == [])
            #expect(world.state.withLock { $0.sends } == sends)
            #expect(Self.nextRound(world, after: 1) == [])
            #expect(world.state.withLock { $0.sends } == sends + 1)
        }
        #expect(world.check("/") == .noContent)
        #expect(world.state.withLock { $0.revoked.isEmpty })
    }

    @Test func `what cannot be written is ended as soon as it can`() throws {
        for change in ["disable", "remove-group", "delete"] {
            let world = try Self.world()
            try Self.change(world, change, Self.board)
            world.state.withLock { $0.isRevocationListWritable = false }
            #expect(Self.nextRound(world).map(\.level) == [.warning])
            world.state.withLock { $0.isRevocationListWritable = true }
            #expect(Self.nextRound(world, after: 120).map(\.level) == [.notice, .notice])
            #expect(world.check("/") == .unauthorized)
        }
        let world = try Self.world()
        world.state.withLock { $0.isRevocationListReadable = false }
        #expect(Self.nextRound(world).first?.text.hasSuffix("cannot be read") == true)
    }

    @Test func `the clock may be put back`() throws {
        let world = try Self.world()
        try Self.change(world, "disable")
        #expect(Self.nextRound(world, after: -86_400).count == 1)
    }

    @Test func `the token is fetched with the site's credential, kept in memory and renewed`()
        throws
    {
        let world = try Self.world()
        func tokens() -> Int {
            world.emulator.events.all.count { $0["grant_type"] == "client_credentials" }
        }
        #expect(tokens() == 1)
        #expect(Self.nextRound(world) == [] && tokens() == 1)
        #expect(Self.nextRound(world, after: 3600) == [] && tokens() == 2)
        world.state.withLock { $0.answer = Self.instead(of: "/v1.0/$batch", "", status: 401) }
        #expect(Self.nextRound(world).count == 1)
        world.state.withLock { $0.answer = nil }
        #expect(Self.nextRound(world).count == 1 && tokens() == 3)
    }

    @Test func `another application asks with a token of its own`() throws {
        let world = try Self.world()
        func asked(by registration: String) throws -> Int {
            let other = try World("graph_poll_seconds = 60", registration: registration)
            let next = RelyingParty(
                other.relyingParty.configuration,
                world.environment,
                world.storage,
                replacing: world.relyingParty
            )
            world.advance(seconds: 60)
            world.state.withLock { $0.graphPaths = [] }
            _ = next.watchAccounts()
            return world.state.withLock { $0.graphPaths.count }
        }
        #expect(try asked(by: World.larkspur) == 2)
        #expect(try asked(by: World.larkspur.replacing("0000002\"", with: "000000f\"")) == 0)
    }

    @Test func `a token that cannot be had ends nothing`() throws {
        let rows = [
            (#"{"error":"invalid_client","error_description":"AADSTS7000222: x"}"#, 401),
            ("{}", 200), ("<html>", 500),
            (#"{"token_type":"Bearer","access_token":"x"}"#, 200),
            (#"{"token_type":"Bearer","access_token":"x y","expires_in":3599}"#, 200),
            (#"{"token_type":"mac","access_token":"x","expires_in":3599}"#, 200),
            (#"{"token_type":"Bearer","access_token":"x","expires_in":"3599"}"#, 200),
        ]
        for (body, status) in rows {
            let world = try World("graph_poll_seconds = 60")
            world.signIn(Person.carol)
            let path = "/\(LarkspurTenant.id)/oauth2"
            world.state.withLock { $0.answer = Self.instead(of: path, body, status: status) }
            let text = world.relyingParty.watchAccounts().first?.text ?? ""
            #expect(text.contains("no token for Graph") && !text.contains("emulated~"))
            #expect(world.check("/") == .noContent)
            #expect(world.state.withLock { $0.graphPaths.isEmpty })
        }
    }

    @Test func `without the permissions the log says which are missing`() throws {
        let world = try Self.world()
        try world.order("/faults", ["name": "graph-forbidden", "until": "further-notice"])
        let text = Self.nextRound(world).first?.text ?? ""
        #expect(text.contains("'User.Read.All' and 'GroupMember.Read.All'"))
        #expect(text.contains("Authorization_RequestDenied"))
        let live = LiveCheck(world.relyingParty.configuration, world.environment)
        #expect(live.run().diagnostics.map(\.message).contains { $0.contains("User.Read.All") })
        try world.order("/faults", ["name": "all", "until": "off"])
        #expect(live.run().diagnostics.isEmpty)
        #expect(live.run().lines.contains { $0.hasSuffix("answers about accounts and groups") })
    }

    @Test func `only names of accounts of the tenant are watched`() {
        let tenant = CompactText(LarkspurTenant.id)
        #expect(WatchedAccount(Self.name, at: 1, in: tenant)?.objectID == Person.carol)
        let wrong = [
            "", "account", "sid-00", "everybody", Self.name + "0", Self.name + "-", "-" + Self.name,
            Self.name.uppercased(), Self.name.replacing("11111111aaaa", with: "11111111aaab"),
            Self.name.replacing("account-ca", with: "account-xy"), String(Self.name.prefix(40)),
        ]
        for name in wrong { #expect(WatchedAccount(name, at: 1, in: tenant) == nil) }
    }
}

enum LarkspurTenant {
    static let id = "11111111-aaaa-4000-8000-000000000001"
}
