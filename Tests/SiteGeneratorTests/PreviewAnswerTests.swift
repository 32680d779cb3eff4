import Access
import Diagnostics
import Fixtures
import Foundation
import HTTPTypes
import Testing

@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

/// A preview's state with a site in a folder that is gone afterwards.
private func withSite(_ body: (PreviewState) async throws -> Void) async throws {
    let source = try TemporarySite([
        "sitegen.toml": "[groups]\nhr = { role = 'HR' }\n", "site/index.md": "# Home\n",
        "site/open/index.md": "---\naccess: public\nwidens: true\n---\n# Open\n",
        "site/hr/index.md": "---\naccess: [hr]\n---\n# HR\n", "site/hr/pay.pdf": "%PDF",
        "site/Größe.md": "# Size\n", "secret": "secret",
    ])
    let found = SiteFolders.find("\(source.folder.path)/sitegen.toml", BuildOptions(now: 0))
    let folders = try #require(found.folders)
    let site = PreviewSite(await LoadedSite(folders, BuildOptions(now: 0)))
    #expect(site.loaded.isSound)
    var state = PreviewState(run: 1)
    state.show(site)
    try await body(state)
}

private func request(
    _ path: String,
    host: String? = "localhost:8000",
    method: HTTPRequest.Method = .get,
    _ fields: [String: String] = [:]
) -> HTTPRequest {
    var request = HTTPRequest(method: method, scheme: "http", authority: host, path: path)
    for (name, value) in fields {
        if let name = HTTPField.Name(name) { request.headerFields[name] = value }
    }
    return request
}

@Suite struct PreviewAnswerTests {
    @Test(arguments: [
        ("/", [200, 401, 200, 200]), ("/open/", [200, 200, 200, 200]),
        ("/hr/", [200, 401, 403, 200]), ("/hr/pay.pdf", [200, 401, 403, 200]),
        ("/HR/", [404, 401, 403, 404]), ("/hr", [302, 401, 403, 302]),
        ("/hr/gone/", [404, 401, 403, 404]), ("/open/gone/", [404, 404, 404, 404]),
        ("/open?x=1", [302, 302, 302, 302]), ("/Gr%C3%B6%C3%9Fe/", [200, 401, 200, 200]),
        ("/index.html/", [404, 401, 404, 404]), ("site.css", [200, 200, 200, 200]),
        ("/_theme/../access", [404, 404, 404, 404]), ("/auth/me", [200, 401, 200, 200]),
        ("/auth/sign-in", [404, 404, 404, 404]), ("/_preview/events", [200, 200, 200, 200]),
        ("/_preview/preview.js", [200, 200, 200, 200]),
        ("/_preview/readers", [200, 200, 200, 200]), ("/_preview/x", [404, 404, 404, 404]),
    ]) func `each reader gets what the site would answer`(
        _ path: String,
        _ statuses: [Int]
    ) async throws {
        let readers: [Viewer] = [.everything, .visitor, .member([]), .member(["hr"])]
        try await withSite { state in
            let isTheme = path == "site.css"
            let path = isTheme ? state.site?.loaded.look.theme.urls["site-css"] ?? "" : path
            for (reader, status) in zip(readers, statuses) {
                let answer = try await PreviewResponder(reader: reader).respond(
                    to: request(path),
                    state
                )
                #expect(answer.head.status.code == status, "\(path) for \(reader)")
            }
        }
    }

    @Test(arguments: [
        ("", [200, 200, 200]), ("preview-as-8000=public", [401, 200, 401]),
        ("preview-as-8000=signed-in", [200, 200, 403]), ("preview-as-8000=hr", [200, 200, 200]),
        // Neither what is not offered nor another preview's cookie is a choice.
        ("preview-as-8000=board", [200, 200, 200]), ("preview-as-80=public", [200, 200, 200]),
    ]) func `the author chooses the reader in a menu`(_ cookie: String, _ statuses: [Int])
        async throws
    {
        try await withSite { state in
            let responder = PreviewResponder(reader: .everything)
            var answers: [Int] = []
            for path in ["/", "/open/", "/hr/"] {
                let request = request(path, ["Cookie": cookie])
                answers.append(try await responder.respond(to: request, state).head.status.code)
            }
            #expect(answers == statuses)
        }
    }

    @Test func `a preview that was started with '--as' has no menu and reads no cookie`()
        async throws
    {
        try await withSite { state in
            let responder = PreviewResponder(reader: .visitor)
            let fields = ["Cookie": "preview-as-8000=hr"]
            let page = try await responder.respond(to: request("/hr/", fields), state)
            #expect(page.head.status == .unauthorized)
            let menu = try await responder.respond(to: request("/_preview/readers", fields), state)
            #expect(menu.body == .bytes(Array("{}".utf8)))
        }
    }

    @Test func `the theme's script gets the groups of the preview's reader`() async throws {
        let groups: [(Viewer, String)] = [
            (.everything, #"["hr"]"#), (.member([]), "[]"), (.member(["hr"]), #"["hr"]"#),
        ]
        try await withSite { state in
            for (reader, names) in groups {
                let answer = try await PreviewResponder(reader: reader)
                    .respond(to: request("/auth/me"), state)
                guard case .bytes(let bytes) = answer.body else { continue }
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(text.contains(#""groups":"# + names))
            }
        }
    }

    @Test(arguments: [
        "/../access", "/open/../../access", "/%2e%2e/access", "/..%2faccess", "/%2e%2e%2faccess",
        "/open/..;/hr/", "/open//hr/", "//hr/", "/open/%2f../hr/", "/hr%00/", "/\\..\\access",
        "/../../secret", "http://localhost/", "*", "", "/%", "/%zz",
        "/_theme/%2e%2e/site/hr/pay.pdf", "/_theme//../access", "/_preview/../access",
        "/auth/../hr/", "/open/%252e%252e/hr/", "/_theme/",
    ]) func `no path leads out of the site`(_ path: String) async throws {
        try await withSite { state in
            let answer = try await PreviewResponder(reader: .everything).respond(
                to: request(path),
                state
            )
            #expect(answer.head.status == .notFound)
        }
    }

    @Test(arguments: [
        nil, "", "evil.example", "evil.example:8000", "localhost.evil.example", "localhost@evil",
        "127.0.0.1.evil.example", "192.168.0.1", "0.0.0.0", "127.1", "127.0.0.01", "127.0.0.256",
        "[::]", "::1", "::1:80", "[::1", "localhost:", "localhost:8000:1", "localhost:123456",
        "localhost.",
        "localhost:80\r\nX: y", "localhost/'; script-src *", "2130706433", "[::ffff:127.0.0.1]",
    ]) func `a name that another site may have is refused`(_ host: String?) async throws {
        try await withSite { state in
            for path in ["/", "/_preview/events", "/hr/pay.pdf"] {
                let answer = try await PreviewResponder(reader: .everything)
                    .respond(to: request(path, host: host), state)
                #expect(answer.head.status == .misdirectedRequest)
                #expect(answer.body != .events)
            }
        }
    }

    @Test(arguments: [
        ("localhost", "http://localhost"), ("LOCALHOST:8000", "http://localhost:8000"),
        ("127.0.0.1:80", "http://127.0.0.1:80"), ("127.8.9.1", "http://127.8.9.1"),
        ("[::1]:8000", "http://[::1]:8000"), ("[::1]", "http://[::1]"),
    ]) func `this machine has these names`(_ host: String, _ origin: String) {
        #expect(LoopbackAuthority(host)?.origin == origin)
    }

    @Test(arguments: [
        ("cross-site", "no-cors", "script", true), ("same-site", "no-cors", "image", true),
        ("cross-site", "cors", "empty", true), ("cross-site", "navigate", "iframe", true),
        ("cross-site", "navigate", "object", true), ("odd", "no-cors", "image", true),
        ("cross-site", "navigate", "document", false), ("same-origin", "cors", "empty", false),
        ("none", "navigate", "document", false),
    ]) func `other sites may lead here and ask nothing`(
        _ site: String,
        _ mode: String,
        _ destination: String,
        _ isRefused: Bool
    ) async throws {
        let fields = [
            "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": destination,
            "Origin": "https://evil.example",
        ]
        try await withSite { state in
            let answer = try await PreviewResponder(reader: .everything)
                .respond(to: request("/open/", fields), state)
            #expect(answer.head.status == (isRefused ? .forbidden : .ok))
            #expect(answer.head.headerFields[.accessControlAllowOrigin] == nil)
        }
    }

    private static func nginx(_ file: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let url = folder.appending(path: "../../nginx/\(file)")
        return try String(contentsOf: url, encoding: .utf8)
    }

    @Test(arguments: [
        "text/html; charset=utf-8", "image/svg+xml", "text/xml; charset=utf-8",
        "application/atom+xml", "application/xhtml+xml", "application/pdf", "image/png", nil,
    ])
    func `a preview has the header fields of the site`(type: String?) throws {
        let fields = SecurityFields.fields(origin: "http://localhost:1", type: type)
        let map = try #require(
            try Self.nginx("maps.conf").firstMatch(
                of: /\$content_security_policy {\n +default "(.*)";\n +"~\*(.*)" "(.*)";\n}/
            )
        )
        // nginx also looks at the file's name, which has the type of the table.
        let isDrawing = try type.map { "\($0) /a" }?.contains(Regex(String(map.output.2))) == true
        let policy = (isDrawing ? map.output.3 : map.output.1)
            .replacing(" $provider_origin", with: "")
            .replacing(
                "$site_origin/_theme/",
                with: "http://localhost:1/_theme/ http://localhost:1/_preview/"
            )
        for line in try Self.nginx("headers.conf").split(separator: "\n") {
            guard line.hasPrefix("add_header "), !line.contains("$hsts") else { continue }
            let words = line.split(separator: " ", maxSplits: 2)
            let name = try #require(HTTPField.Name(String(words[1])))
            let value = words[2].replacing(" always;", with: "").replacing("\"", with: "")
                .replacing("$content_security_policy", with: policy)
            #expect(fields[name] == String(value))
        }
        #expect(fields[.cacheControl] == "no-store")
    }

    @Test func `a file has the type by which nginx sends it`() throws {
        #expect(ContentType.types.count > 100)
        for (path, type) in [
            ("/a/page.html", "text/html; charset=utf-8"), ("/x.MD", "text/markdown; charset=utf-8"),
            ("/x.mjs", "text/javascript; charset=utf-8"), ("/x.wasm", "application/wasm"),
            ("/x.webmanifest", "application/manifest+json"), ("/x.avif", "image/avif"),
            ("/x.svg", "image/svg+xml"), ("/x.vtt", "text/vtt; charset=utf-8"),
            ("/x.mp4", "video/mp4"), ("/x.woff2", "font/woff2"), ("/x.tar.gz", "application/gzip"),
            ("/x.unheard-of", "application/octet-stream"), ("/x.", "application/octet-stream"),
            ("/x", "application/octet-stream"), ("/.css", "application/octet-stream"),
            ("/a.css/x", "application/octet-stream"),
        ] {
            #expect(ContentType.of(path) == type, "\(path)")
        }
    }

    @Test func `pages get the script, other files stay as they are`() async throws {
        try await withSite { state in
            let responder = PreviewResponder(reader: .everything)
            let page = try await responder.respond(to: request("/"), state)
            let script =
                "<script src=\"/_preview/preview.js\" data-generation=\"1-1\" defer></script>\n"
            let file = try #require(try await state.site?.file(at: "site/index.html"))
            let html = String(decoding: file, as: UTF8.self)
            #expect(html.contains("Home") && !html.contains("/_preview/"))
            let shown = html.replacing("</head>", with: "\(script)</head>")
            #expect(page.body == .bytes(Array(shown.utf8)))
            let pdf = try await responder.respond(to: request("/hr/pay.pdf"), state)
            #expect(pdf.body == .bytes(Array("%PDF".utf8)))
            #expect(pdf.head.headerFields[.contentType] == "application/pdf")
            let post = try await responder.respond(to: request("/", method: .post), state)
            #expect(post.head.status == .methodNotAllowed)
            let moved = try await responder.respond(to: request("/open?x=1"), state)
            #expect(moved.head.headerFields[.location] == "/open/?x=1")
        }
    }

    @Test func `a page shows the errors until there is a site to show`() async throws {
        func shown(_ state: PreviewState) async throws -> String {
            let responder = PreviewResponder(reader: .visitor)
            let answer = try await responder.respond(to: request("/hr/"), state)
            #expect(answer.head.status == .serviceUnavailable)
            guard case .bytes(let bytes) = answer.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        try await withSite { good in
            var state = PreviewState(run: 1)
            let first = try await shown(state)
            #expect(first.contains("The site is being read."))
            #expect(first.contains("data-generation=\"1-0\""))

            state.tell("a.md:1:2: error: 'x<y' & more", isShown: false)
            let page = try await shown(state)
            #expect(!page.contains("being read") && page.contains("cannot be shown"))
            #expect(page.contains("a.md:1:2: error: 'x&lt;y' &amp; more"))
            // A page that waits is told to load itself anew, and has the errors once.
            #expect(page.contains("data-generation=\"1-1\""))
            let event = String(decoding: state.event, as: UTF8.self)
            #expect(event.contains(#""generation":"1-1""#) && event.contains(#""errors":"""#))

            state.tell("others", isShown: false)
            let other = try await shown(state)
            #expect(other.contains("others") && state.generation == "1-2")
            state.show(try #require(good.site))
            state.tell("", isShown: true)
            #expect(state.generation == "1-3" && state.errors.isEmpty)
            // From now on pages stay what they are, with a panel above.
            state.tell("more", isShown: false)
            #expect(state.generation == "1-3")
            let last = String(decoding: state.event, as: UTF8.self)
            #expect(last.contains(#""errors":"more""#) && last.contains("before the last change"))
        }
    }

    @Test(arguments: [
        (0, true, "2 pages, checked in 5 ms"), (1, true, "2 pages, 1 error, checked in 5 ms"),
        (1, false, "2 pages, 1 error, checked in 5 ms; pages show the site before the last change"),
    ])
    func `the terminal says what is shown`(_ errors: Int, _ isShown: Bool, _ text: String) {
        let error = Diagnostic(.error, "x", at: nil)
        var outcome = BuildOutcome(diagnostics: Array(repeating: error, count: errors))
        outcome.pages = 2
        let purpose = SummaryLine.Purpose.preview(isShown: isShown)
        #expect(SummaryLine(outcome, purpose, milliseconds: 5).text == text)
    }

    @Test func `readers are named as in front matter`() throws {
        #expect(try Viewer("public", groups: []) == .visitor)
        #expect(try Viewer("signed-in", groups: []) == .member([]))
        #expect(
            try Viewer("hr, board", groups: ["hr", "board"]) == .member(["board", "hr"])
        )
        #expect(try Viewer("hr", groups: nil) == .member(["hr"]))
        for words in ["", "hrr", "public,hr", "hr,"] {
            #expect(throws: CommandError.self) { try Viewer(words, groups: ["hr"]) }
        }
    }
}
