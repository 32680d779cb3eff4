import HTTPTypes
import Testing

@testable import RelyingParty

/// Medium 10: forms that readers send to applications behind nginx.
@Suite struct FormTests {
    private static func ask(_ world: World, _ method: String) -> HTTPResponse.Status {
        let kept = world.state.withLock(\.siteCookies).map { "\($0.key)=\($0.value)" }
        return world.relyingParty.identity(
            path: "/wiki/save",
            release: World.release,
            cookie: kept.sorted().joined(separator: "; "),
            fetch: FetchMetadata(
                method: method,
                mode: "navigate",
                accept: "text/html",
                requestedWith: nil
            )
        ).http.status
    }

    @Test func `a form passes while the provider is due to be asked, and a link goes there`() throws
    {
        let world = try World()
        world.signIn(Person.alice)
        world.advance(seconds: 3700)
        for method in ["POST", "PUT", "DELETE", "post", ""] {
            #expect(Self.ask(world, method) == .noContent)
        }
        for method in ["GET", "HEAD"] { #expect(Self.ask(world, method) == .unauthorized) }
        world.advance(seconds: 3600)
        #expect(Self.ask(world, "POST") == .unauthorized)
    }

    @Test func `a form without a session is refused in words, and kept by the browser`() throws {
        let world = try World()
        let answer = world.send(.signIn, .post, body: "text=chapter", wanted: "/wiki/save")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.http.status == .unauthorized)
        #expect(answer.http.headerFields[.contentType] == "text/html; charset=utf-8")
        #expect(text.contains("Nothing was saved") && text.contains(#"target="_blank""#))
        #expect(!text.contains("chapter") && answer.http.headerFields[.setCookie] == nil)
    }

    @Test func `a script that sends something is answered in JSON`() throws {
        let world = try World()
        let fields: HTTPFields = [.secFetchMode: "cors", .accept: "*/*"]
        let answer = world.send(.signIn, .post, fields: fields, wanted: "/wiki/save")
        #expect(answer.http.headerFields[.contentType]?.hasPrefix("application/json") == true)
        #expect(answer.http.headerFields[.setCookie] == nil)
    }

    @Test func `a form for which somebody lacks the right is refused in words`() throws {
        let world = try World()
        world.signIn(Person.bob)
        let answer = world.send(.forbidden, .post, wanted: "/hr/save?token=secret")
        #expect(answer.http.headerFields[.contentType] == "text/html; charset=utf-8")
        let event = try #require(answer.events.first)
        #expect(event.text.contains("'/hr/save'") && !event.text.contains("secret"))
    }
}
