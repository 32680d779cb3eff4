import HTTPTypes
import Jansson
import Testing

@testable import RelyingParty

/// `prompt = "login"`: readers prove who they are, whatever session the provider has of them.
@Suite struct LoginPromptTests {
    private static func provider(
        _ kind: HostileProvider.Kind,
        authenticatedAt date: Int?
    ) -> HostileProvider {
        HostileProvider(kind: kind) { document, members in
            if document == .claims { members["auth_time"] = date.map(JSON.integer) }
            return nil
        }
    }

    /// The clock stands still: the sign-in begins now.
    @Test(arguments: HostileProvider.Kind.allCases)
    func `an older proof is refused, give or take five minutes`(
        kind: HostileProvider.Kind
    ) throws {
        for (age, isSession) in [(0, true), (300, true), (301, false), (86_400, false)] {
            let date = TokenFactory.now - age
            let provider = Self.provider(kind, authenticatedAt: date)
            let outcome = try provider.signIn(settings: "prompt = \"login\"")
            #expect((outcome.root == .noContent) == isSession, "\(age)")
            #expect(try provider.signIn().root == .noContent)
        }
    }

    @Test func `a provider that was asked for the time has to tell it`() throws {
        let silent = Self.provider(.standard, authenticatedAt: nil)
        let refused = try silent.signIn(settings: "prompt = \"login\"")
        #expect(refused.root == .unauthorized && refused.response.http.status == .badGateway)
        #expect(refused.response.events.contains { $0.text.contains("'auth_time' is missing") })
    }

    /// It has the claim only where the registration asks for it.
    @Test func `Entra need not tell it, and then the log says so`() throws {
        let silent = Self.provider(.entra, authenticatedAt: nil)
        let outcome = try silent.signIn(settings: "prompt = \"login\"")
        #expect(outcome.root == .noContent)
        #expect(outcome.response.events.contains { $0.text.contains("no 'auth_time' proves") })
        #expect(try !silent.signIn().response.events.contains { $0.text.contains("auth_time") })
    }

    private static func parameters(_ response: Response) throws -> Form {
        let url = try #require(response.http.headerFields[.location])
        return try #require(Form(String(url.drop { $0 != "?" }.dropFirst())))
    }

    @Test func `a second attempt asks for the same as the first`() throws {
        for (settings, expected) in [("prompt = \"login\"", "login"), ("", nil)] {
            let world = try World(settings)
            let first = try Self.parameters(world.send(.signIn, wanted: "/hr/"))
            let state = try #require(first["state"])
            #expect(first["prompt"] == expected)
            world.state.withLock { $0.siteCookies = [:] }
            let again = world.send(.callback, query: "code=c&state=\(state)")
            #expect(try Self.parameters(again)["prompt"] == expected)
            // Entra documents no 'max_age'.
            #expect(try Self.parameters(again)["max_age"] == nil)
        }
    }

    @Test func `another account proves who it is as well`() throws {
        let world = try World("prompt = \"login\"")
        let response = world.send(.signIn, query: "account=other&return=/")
        #expect(try Self.parameters(response)["prompt"] == "login")
        let plain = try World().send(.signIn, query: "account=other&return=/")
        #expect(try Self.parameters(plain)["prompt"] == "select_account")
    }
}
