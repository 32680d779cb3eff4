import HTTPTypes
import Jansson
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

@Suite struct AccountTests {
    @Test func `the account page names the reader and the JSON says the same, and no token`() throws
    {
        let world = try World()
        world.signIn(Person.alice)
        let page = String(decoding: world.send(.account).body, as: UTF8.self)
        #expect(page.contains("<h1>Your account</h1>"))
        #expect(page.contains("<dt>Name</dt><dd>Alice Adams</dd>\n<dt>Groups</dt><dd>hr</dd>"))
        // What is for engineers is folded.
        let folded = try #require(page.firstRange(of: "<details>"))
        #expect(!page[..<folded.lowerBound].contains("a11ce000"))
        #expect(page[folded.lowerBound...].contains("<p>A program of yours can fetch what you may"))
        #expect(page.contains("action=\"/auth/sign-out\""))
        let me = world.send(.me)
        let json = try JSON(parsing: me.body)
        #expect(json["name"]?.string == "Alice Adams")
        #expect(json["groups"]?.strings == ["hr"])
        #expect(
            json.members?.names == [
                "name", "tenant_id", "object_id", "groups", "signed_in_at", "expires_at",
            ]
        )
        #expect(me.http.headerFields[.cacheControl] == "no-store")
    }

    @Test func `a stranger is sent to sign in, and comes back to the account page`() throws {
        let world = try World()
        let response = world.send(.account)
        let location = try #require(response.http.headerFields[.location])
        #expect(location == "http://localhost:8080/auth/sign-in?return=/auth/account")
        let begun = world.send(.signIn, query: "return=/auth/account")
        let query = try #require(
            world.pick(Person.alice, at: begun.http.headerFields[.location] ?? "")
        )
        let finished = world.send(.callback, query: query)
        #expect(
            finished.http.headerFields[.location] == "http://localhost:8080/auth/account"
        )
        #expect(try World().send(.me).http.status == .unauthorized)
    }

    @Test
    func `a sign-in link leads whoever is signed in straight on, unless they want another account`()
        throws
    {
        let world = try World()
        world.signIn(Person.alice)
        let on = world.send(.signIn, query: "return=/hr/")
        #expect(on.http.headerFields[.location] == "http://localhost:8080/hr/")
        let other = world.send(.signIn, query: "return=/hr/&account=other")
        #expect(other.http.headerFields[.location]?.contains("prompt=select_account") == true)
    }

    @Test func `what a page shows is escaped`() {
        let page = ReaderPage(
            status: .ok,
            title: "<script>alert(1)</script>",
            sentences: ["\"&'<b>"],
            actions: [.link("x", to: "/\"onclick=\"y", isMain: true)]
        )
        let request = Request(route: .me, reference: "<i>")
        let html = String(
            decoding: page.framed(.english, request).bytes(in: nil),
            as: UTF8.self
        )
        #expect(!html.contains("<script>") && !html.contains("<b>") && !html.contains("<i>"))
        #expect(!html.contains("\"onclick"))
    }

    @Test func `a frame is filled, and one without a place for the content is not used`() {
        let frame = PageFrame(title: "A & B", content: "<p>x</p>", language: .english)
        let filled = frame.bytes(
            in: "<html lang=\"en\"><t><!--siteauth:title--></t><c><!--siteauth:content--></c>"
        )
        #expect(
            String(decoding: filled, as: UTF8.self)
                == "<html lang=\"en\"><t>A &amp; B</t><c><p>x</p></c>"
        )
        let plain = String(decoding: frame.bytes(in: "<t></t>"), as: UTF8.self)
        #expect(plain.contains("<p>x</p>") && plain.hasPrefix("<!doctype html>"))
    }

    @Test(arguments: [
        (0, "1970-01-01 00:00 UTC"), (951_782_399, "2000-02-28 23:59 UTC"),
        (951_782_400, "2000-02-29 00:00 UTC"), (1_795_331_744, "2026-11-22 07:15 UTC"),
        (4_102_444_800, "2100-01-01 00:00 UTC"), (-1, "1969-12-31 23:59 UTC"),
    ])
    func `seconds become a date`(seconds: Int, text: String) {
        #expect(CalendarTime.text(seconds) == text)
    }
}
