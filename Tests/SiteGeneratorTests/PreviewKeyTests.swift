import HTTPTypes
import Testing

@testable import SiteGenerator

@Suite struct PreviewKeyTests {
    private let key = PreviewKey()

    private func answer(
        _ path: String,
        host: String = "127.0.0.1:8000",
        cookie: [String] = []
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(method: .get, scheme: "http", authority: host, path: path)
        for value in cookie { request.headerFields.append(HTTPField(name: .cookie, value: value)) }
        let responder = PreviewResponder(reader: .everything, key: key)
        return try await responder.respond(to: request, PreviewState(run: 1)).head
    }

    @Test func `each preview has a key of its own`() {
        #expect(key.text.count == 32)
        #expect(PreviewKey().text != key.text)
    }

    @Test func `the printed URL leads to the page, with a cookie and without the key`() async throws
    {
        for path in ["/", "/hr/pay/", "/_preview/events"] {
            let head = try await answer("\(path)?key=\(key.text)")
            #expect(head.status == .found)
            #expect(head.headerFields[.location] == path)
            let cookie = "preview-8000=\(key.text); Path=/; HttpOnly; SameSite=Lax"
            #expect(head.headerFields[.setCookie] == cookie)
        }
    }

    @Test func `a browser with the cookie sees the preview`() async throws {
        for cookies in [
            ["preview-8000=\(key.text)"], ["a=b; preview-8000=\(key.text); c=d"],
            ["a=b", "preview-8000=x;preview-8000=\(key.text)"],
        ] {
            // The site was not read yet.
            #expect(try await answer("/", cookie: cookies).status == .serviceUnavailable)
        }
        let cookie = ["preview-80=\(key.text)"]
        #expect(
            try await answer("/", host: "localhost", cookie: cookie).status == .serviceUnavailable
        )
    }

    @Test(arguments: [
        "/", "/hr/", "/_preview/events", "/_preview/preview.js", "/_theme/site.css", "/auth/me",
        "/?key=", "/?key", "/?x=1&key=KEY", "/?key=KEY&x=1", "/?key=KEY0", "/?Key=KEY",
        "/?key=%4bEY",
        "/KEY", "//evil.example/?key=KEY", "/\\evil.example/?key=KEY",
        "https://evil.example/?key=KEY",
        "*", "",
    ]) func `without the key nothing is shown and nobody is led elsewhere`(_ path: String)
        async throws
    {
        let path = path.replacing("KEY", with: key.text)
        for cookie in [
            "", "preview-8000=", "preview-8000", "preview-80=\(key.text)", "x\(key.text)",
            "xpreview-8000=\(key.text)", "preview-8000=\(key.text)0",
            "preview-8000=\"\(key.text)\"",
        ] {
            let head = try await answer(path, cookie: [cookie])
            #expect(head.status == .forbidden)
            #expect(head.headerFields[.location] == nil)
            #expect(head.headerFields[.setCookie] == nil)
        }
    }

    @Test func `a key does not open the preview to another host's name`() async throws {
        let cookie = ["preview-8000=\(key.text)"]
        for path in ["/", "/?key=\(key.text)"] {
            let head = try await answer(path, host: "evil.example:8000", cookie: cookie)
            #expect(head.status == .misdirectedRequest)
            #expect(head.headerFields[.setCookie] == nil)
        }
    }
}
