import JOSE
import Jansson
import Synchronization
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// What the provider published outlives the process, and is judged again when it is read.
@Suite struct CachedMetadataTests {
    private static let now = 1_800_000_000

    private static let metadataURL =
        "http://localhost:8081/11111111-aaaa-4000-8000-000000000001/v2.0/.well-known/openid-configuration"

    /// What a first process leaves behind.
    private static func kept() throws -> [UInt8] {
        let world = try World()
        world.signIn(Person.alice)
        let kept = world.state.withLock(\.kept)
        return try #require(kept)
    }

    private static func parse(
        _ bytes: [UInt8],
        at now: Int = now,
        for url: String = metadataURL
    ) throws -> CachedMetadata? {
        CachedMetadata(parsing: bytes, for: try #require(WebURL(url)), at: now)
    }

    @Test func `a restart needs no network`() throws {
        let world = try World(kept: Self.kept())
        // The one request is the code's redemption.
        world.state.withLock { $0.sendsLeft = 1 }
        #expect(world.relyingParty.refreshProvider() == nil)
        world.signIn(Person.alice)
        #expect(world.check("/") == .noContent)
        #expect(world.state.withLock(\.sends) == 1)
        // Without it, nobody gets that far.
        let fresh = try World()
        fresh.state.withLock { $0.sendsLeft = 0 }
        #expect(fresh.send(.signIn, wanted: "/").http.status == .serviceUnavailable)
    }

    @Test func `what was kept holds a day from when it was fetched, not from the restart`() throws {
        let bytes = try Self.kept()
        #expect(try Self.parse(bytes, at: Self.now + 86_399)?.snapshot.fetchedAt == Self.now)
        #expect(try Self.parse(bytes, at: Self.now + 86_400) == nil)
        #expect(try Self.parse(bytes, at: Self.now - 1) == nil, "from a time to come")
    }

    @Test(arguments: [Int.min, Int.min + 1, -1, 0, Int.max])
    func `a date that no clock has shown counts for nothing`(date: Int) throws {
        let bytes = try Self.kept()
        let text = String(decoding: bytes, as: UTF8.self)
        let changed = text.replacing("\"fetched_at\":\(Self.now)", with: "\"fetched_at\":\(date)")
        #expect(changed != text)
        #expect(try Self.parse(Array(changed.utf8)) == nil)
    }

    @Test func `it is of one provider`() throws {
        let other = Self.metadataURL.replacing("11111111", with: "33333333")
        #expect(try Self.parse(Self.kept(), for: other) == nil)
    }

    @Test func `what was tampered with is as good as none`() throws {
        let bytes = try Self.kept()
        let text = String(decoding: bytes, as: UTF8.self)
        for changed in [
            "", "{}", String(text.dropLast(100)),
            text.replacing("\"version\":1", with: "\"version\":2"),
            // The issuer of the document no longer fits its address.
            text.replacing(
                "\\\"issuer\\\":\\\"http://localhost:8081",
                with: "\\\"issuer\\\":\\\"https://evil.example"
            ),
            text.replacing("\\\"keys\\\"", with: "\\\"no\\\""),
        ] {
            #expect(changed != text)
            #expect(try Self.parse(Array(changed.utf8)) == nil, "\(changed.prefix(60))")
        }
        #expect(try Self.parse(bytes) != nil)
    }

    /// Whoever restarts siteauth after the provider has moved does not wait for an hour.
    @Test func `a thread for it replaces what was kept at its first look, however young`() throws {
        let kept = try Self.kept()
        func provider(_ world: World) throws -> Provider {
            var environment = world.environment
            environment.wakeMaintenance = {}
            let url = try #require(WebURL(Self.metadataURL))
            return Provider(metadataURL: url, environment: environment, storage: world.storage)
        }
        let world = try World(kept: kept)
        let first = try provider(world)
        #expect(first.refresh() == .fetched)
        #expect(world.state.withLock(\.sends) == 2)
        // From then on it is this process's, and old after an hour.
        #expect(first.refresh() == .nothingToDo)
        // Where nobody answers, what was kept goes on, and is asked about again.
        let alone = try World(kept: kept)
        alone.state.withLock { $0.sendsLeft = 0 }
        let second = try provider(alone)
        let refresh = second.refresh()
        #expect(refresh != .fetched && refresh != .nothingToDo)
        #expect(second.known != nil && second.refresh() == .nothingToDo)
        alone.advance(seconds: 60)
        alone.state.withLock { $0.sendsLeft = .max }
        #expect(second.refresh() == .fetched)
    }

    @Test func `a key that is new since the restart is asked for`() throws {
        let kept = try Self.kept()
        let world = try World(kept: kept)
        // The kept set has nothing of the new key: one question finds it, and it is kept anew.
        try world.order("/keys", ["change": "replace"])
        world.signIn(Person.alice)
        #expect(world.check("/") == .noContent)
        #expect(world.state.withLock(\.kept) != nil)
    }
}
