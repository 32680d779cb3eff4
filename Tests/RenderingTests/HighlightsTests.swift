import Diagnostics
import Fixtures
import Foundation
import Markdown
import POSIX
import Testing

@testable import Rendering
@testable import Site

/// The step as a whole, with workers that the tests make up, and with the real one.
@Suite struct HighlightsTests {
    /// A place of its own for one test.
    private final class Place {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        var cache: String { folder.path(".sitegen/cache/highlight") }

        func page(_ markdown: String) throws -> RenderedDocument {
            try RenderedDocument(Array(markdown.utf8), SiteConfiguration().markdown)
        }

        /// A worker whose answers are `answer`, an expression of Python; it notes its starts.
        ///
        /// Its time stands still, on a busy machine too, and goes on by a minute with `stop()`.
        func worker(
            _ answer: String,
            hello: String? = nil,
            _ tool: CodeTool = .pygments
        ) throws -> Highlighter {
            let file = folder.path("pygments.py")
            if !FileManager.default.fileExists(atPath: file) { try folder.write("", "pygments.py") }
            var highlighter = Highlighter(tool)
            highlighter.files = []
            highlighter.script = Array(
                """
                import os, sys, time
                from html import escape
                folder = \(folder.path.debugDescription)
                open(folder + "/starts", "a").write("x")
                def stop():
                    open(folder + "/stops", "a").write("x")
                    time.sleep(600)
                out = sys.stdout.buffer
                out.write(b"\(hello ?? "\(tool.rawValue) 1.0 " + file)\\0")
                out.flush()
                while header := sys.stdin.buffer.readline():
                    language, length = header.decode().split()
                    code = sys.stdin.buffer.read(int(length)).decode()
                    out.write((\(answer)).encode() + b"\\0")
                    out.flush()
                """.utf8
            )
            let stops = folder.path("stops")
            highlighter.now = { UInt64(Place.count(stops)) * 60_000_000_000 }
            return highlighter
        }

        var starts: Int { Place.count(folder.path("starts")) }

        private static func count(_ path: String) -> Int {
            (try? String(contentsOfFile: path, encoding: .utf8).count) ?? 0
        }

        func highlights(_ pages: [RenderedDocument], _ highlighter: Highlighter) async -> Highlights
        {
            let highlights = Highlights(highlighter, cachePath: cache, BuildProgress())
            for page in pages { highlights.add(page) }
            await highlights.finish()
            highlights.save(mayForget: true)
            return highlights
        }
    }

    private static let colours = "f'html <span class=\"{language}\">{escape(code, False)}</span>'"

    private static func html(_ page: RenderedDocument, _ highlights: Highlights?) -> String {
        let urls = page.references.map { _ in "URL" }
        let code = (highlights?.code(for: page) ?? []).map { $0?.html }
        return String(decoding: page.filled(with: urls, code: code), as: UTF8.self)
    }

    @Test func `colours are put in, between links and in footnotes`() async throws {
        let location = try Place()
        let markdown = """
            [a](b) [^1]

            ```sh
            a <b
            ```

            # H

            - [c](d)

              ```{.py}
              e
              ```

            [^1]: note

                ``` sh
                f
                ```

                [g](h)

            ```
            plain
            ```
            """
        let page = try location.page(markdown)
        let highlights = await location.highlights([page], try location.worker(Self.colours))
        #expect(highlights.diagnostics.isEmpty)
        let html = Self.html(page, highlights)
        for part in [
            "<pre><code class=\"language-sh\"><span class=\"sh\">a &lt;b\n</span></code></pre>",
            "<span class=\"py\">e\n</span></code>", "<span class=\"sh\">f\n</span></code>",
            "<pre><code>plain\n</code></pre>",
        ] { #expect(html.contains(part), "\(part)") }
        #expect(html.components(separatedBy: "href=\"URL\"").count == 4)
        let plain = html.replacing("</span>", with: "").replacing("<span class=\"sh\">", with: "")
            .replacing("<span class=\"py\">", with: "")
        #expect(plain == Self.html(page, nil))
    }

    @Test func `a cold, a warm and a damaged cache give the same pages`() async throws {
        let location = try Place()
        let blocks = (0..<60).map { "```py\nblock \($0 % 50)\n```\n" }
        let pages = try (0..<6).map { page in
            try location.page(blocks[(page * 10)..<(page * 10 + 10)].joined(separator: "\n"))
        }
        let worker = try location.worker(Self.colours)
        func build() async -> [String] {
            let highlights = await location.highlights(pages, worker)
            #expect(highlights.diagnostics.isEmpty)
            return pages.indices.map { Self.html(pages[$0], highlights) }
        }
        let cold = await build()
        #expect(cold[0].contains("<span class=\"py\">block 0\n</span>") && location.starts == 1)
        #expect(await build() == cold)
        #expect(location.starts == 1, "a warm cache starts nothing")
        let intact = try Data(contentsOf: URL(filePath: location.cache))
        var generator = SystemRandomNumberGenerator()
        for round in 0..<25 {
            var damaged = intact
            switch round % 3 {
            case 0: damaged[Int.random(in: damaged.indices, using: &generator)] ^= 1
            case 1: damaged.removeLast(Int.random(in: damaged.indices, using: &generator))
            default: damaged.remove(at: Int.random(in: damaged.indices, using: &generator))
            }
            try damaged.write(to: URL(filePath: location.cache))
            #expect(await build() == cold)
        }
        for content in ["", "\n", "x\n\n\n", "\0"] {
            try Data(content.utf8).write(to: URL(filePath: location.cache))
            #expect(await build() == cold)
            #expect(try Data(contentsOf: URL(filePath: location.cache)) == intact)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `workers begin while pages are still added`() async throws {
        let location = try Place()
        let highlights = Highlights(
            try location.worker(Self.colours),
            cachePath: location.cache,
            BuildProgress()
        )
        let pages = try (0..<2).map { try location.page("```py\n\($0)\n```\n") }
        highlights.add(pages[0])
        while location.starts == 0 { try await Task.sleep(for: .milliseconds(10)) }
        highlights.add(pages[1])
        await highlights.finish()
        #expect(location.starts == 1 && highlights.diagnostics.isEmpty)
        for page in pages { #expect(Self.html(page, highlights).contains("class=\"py\"")) }
    }

    @Test func `another highlighter is asked for all blocks again`() async throws {
        let location = try Place()
        let page = try location.page("```py\na\n```\n")
        let first = try location.worker(Self.colours)
        _ = await location.highlights([page], first)
        try location.folder.write("version 2", "pygments.py")
        _ = await location.highlights([page], first)
        #expect(location.starts == 2, "its file has changed")
        let second = try location.worker("f'html <span class=\"x\">{code}</span>'")
        let html = Self.html(page, await location.highlights([page], second))
        #expect(html.contains("class=\"x\"") && location.starts == 3, "its program has changed")
    }

    @Test func `what no build uses any more is forgotten in time`() async throws {
        let location = try Place()
        let worker = try location.worker(Self.colours)
        let pages = try (0..<5).map { try location.page("```py\n\($0)\n```\n") }
        func entries(_ pages: [RenderedDocument]) async throws -> Int {
            _ = await location.highlights(pages, worker)
            let bytes = try Data(contentsOf: URL(filePath: location.cache))
            return String(decoding: bytes, as: UTF8.self).components(separatedBy: "html ").count - 1
        }
        #expect(try await entries(pages) == 5)
        #expect(try await entries(Array(pages[..<3])) == 5)
        #expect(try await entries(Array(pages[..<2])) == 2)
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "'html <script>1</script>'", "'html other'", "'nonsense'", "sys.exit()", "'a\\0b'",
            "stop()",
        ]
    )
    func `a worker that lies, ends or stops leaves blocks plain`(answer: String) async throws {
        let location = try Place()
        let page = try location.page("```bad\n1\n```\n\n```py\n2\n```\n")
        let worker = try location.worker("\(answer) if language == 'bad' else \(Self.colours)")
        let highlights = await location.highlights([page], worker)
        let html = Self.html(page, highlights)
        #expect(html.contains("<code class=\"language-bad\">1\n</code>"))
        #expect(html.contains("<span class=\"py\">2\n</span>"))
        #expect(highlights.diagnostics.map(\.severity) == [.note])
        #expect(highlights.diagnostics.map(\.rule) == ["no-highlighter"])
    }

    @Test func `a highlighter that never stops stopping is given up`() async throws {
        let location = try Place()
        let pages = try (0..<30).map { try location.page("```py\n\($0)\n```\n") }
        let highlights = await location.highlights(pages, try location.worker("sys.exit()"))
        #expect(highlights.diagnostics.count == 1 && location.starts == 4)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["sys.exit()", "'nonsense'", "stop()"])
    func `blocks that stop workers take nothing from others, and are not asked again`(
        answer: String
    ) async throws {
        let place = try Place()
        let bad = (0..<12).map { "```bad\n\($0)\n```\n" }.joined(separator: "\n")
        let pages = try [bad, "```py\n1\n```\n"].map(place.page)
        let worker = try place.worker("\(answer) if language == 'bad' else \(Self.colours)")
        var starts: [Int] = []
        for _ in 1...2 {
            let highlights = await place.highlights(pages, worker)
            #expect(Self.html(pages[1], highlights).contains("<span class=\"py\">1"))
            let message = "code is not highlighted everywhere: Pygments stopped at 12 blocks"
            #expect(highlights.diagnostics.map(\.message) == [message])
            starts.append(place.starts)
        }
        #expect(starts[0] == starts[1])
    }

    @Test func `a block that cannot be drawn now is asked again by the next build`() async throws {
        let place = try Place()
        let page = try place.page(Self.diagram)
        for number in 1...2 {
            let worker = try place.worker("'unavailable '", .graphviz)
            let drawings = await place.highlights([page], worker)
            #expect(drawings.diagnostics.map(\.rule) == ["no-drawings"])
            #expect(place.starts == number)
        }
    }

    @Test(arguments: [false, true])
    func `a tool that is not there is looked for once`(isFileKnown: Bool) async throws {
        let place = try Place()
        let page = try place.page("```py\n1\n```\n")
        var worker = try place.worker("")
        if isFileKnown { worker.files = [["/nowhere/pygments"]] }
        let script = "open('\(place.folder.path("starts"))', 'a').write('x')\nraise SystemExit(3)\n"
        worker.script = Array(script.utf8)
        worker.searchPaths = ["/usr/bin"]
        for _ in 1...2 {
            let highlights = await place.highlights([page], worker)
            #expect(highlights.diagnostics.map(\.rule) == ["no-highlighter"])
        }
        #expect(place.starts == (isFileKnown ? 0 : 1))
    }

    @Test(arguments: ["", "hello", "pygments 1.0 /nowhere/pygments.py", "pygments 1.0"])
    func `without a highlighter there is one note`(hello: String) async throws {
        let location = try Place()
        let pages = try (0..<3).map { try location.page("```py\n\($0)\n```\n") }
        let worker = try location.worker(Self.colours, hello: hello)
        let highlights = await location.highlights(pages, worker)
        #expect(Self.html(pages[1], highlights) == Self.html(pages[1], nil))
        #expect(highlights.diagnostics.map(\.severity) == [.note])
        #expect(!FileManager.default.fileExists(atPath: location.cache))
    }

    @Test func `without Python there is one note, and without code there is none`() async throws {
        let location = try Place()
        var worker = Highlighter()
        worker.searchPaths = ["/nowhere"]
        let code = try location.page("```py\n1\n```\n")
        #expect(await location.highlights([code], worker).diagnostics.count == 1)
        let plain = try location.page("```\n1\n```\n\n    2\n\n```mermaid\n3\n```\n")
        #expect(await location.highlights([plain], worker).diagnostics.isEmpty)
    }

    @Test func `Pygments colours code`() async throws {
        let location = try Place()
        let page = try location.page(
            "```py\nif a < 1: pass # b\n```\n\n```no-such-language\na\n```\n\n```rust,ignore\nfn a() {}\n```\n"
        )
        let highlights = await location.highlights([page], Highlighter())
        if let note = highlights.diagnostics.first {
            // Told, so that nobody takes a machine without Pygments for one where this works.
            print("Pygments was not tried: \(note.message)")
            return
        }
        let html = Self.html(page, highlights)
        #expect(html.contains("<span class=\"k\">if </span>a &lt; <span class=\"m\">1</span>"))
        #expect(html.contains("<code class=\"language-no-such-language\">a\n</code>"))
        #expect(html.contains("<span class=\"k\">fn </span>"))
        let warm = await location.highlights([page], Highlighter())
        #expect(Self.html(page, warm) == html)
    }

    private static let diagram = "# A\n\n```dot\ngraph {}\n```\n"

    @Test(arguments: [
        ("'mistake 2 5 no such node'", "diagram: no such node", 5, 5),
        ("'slow '", "diagram takes too long", 4, 1),
        ("'large '", "diagram is too large", 4, 1),
        ("'failed '", "diagram cannot be drawn", 4, 1),
    ])
    func `what cannot be drawn is an error at its place`(
        answer: String,
        message: String,
        line: Int,
        column: Int
    ) async throws {
        let place = try Place()
        let page = try place.page(Self.diagram)
        // The second time, the answer comes from the cache.
        for _ in 1...2 {
            let drawings = await place.highlights([page], try place.worker(answer, .graphviz))
            #expect(drawings.diagnostics.map(\.message) == [message])
            #expect(drawings.diagnostics.map(\.severity) == [.error])
            #expect(drawings.diagnostics.map(\.location?.line) == [line])
            #expect(drawings.diagnostics.map(\.location?.column) == [column])
        }
        #expect(place.starts == 1)
    }

    @Test(arguments: ["'html <svg></svg><script></script>'", "'html <p></p>'", "'mistake 0 1 x'"])
    func `a drawing that is none is no answer`(answer: String) async throws {
        let place = try Place()
        let page = try place.page(Self.diagram)
        let drawings = await place.highlights([page], try place.worker(answer, .graphviz))
        #expect(drawings.code(for: page).allSatisfy { $0 == nil })
        #expect(drawings.diagnostics.map(\.rule) == ["no-drawings"])
        #expect(drawings.diagnostics.map(\.location?.line) == [4])
    }

    @Test func `each tool answers for its own blocks`() async throws {
        let place = try Place()
        let page = try place.page("$x$\n\n```swift\nx\n```\n\n\(Self.diagram)")
        let worker = try place.worker("'html <svg></svg>'", .graphviz)
        let drawings = await place.highlights([page], worker)
        #expect(drawings.code(for: page).map { $0 != nil } == [false, false, true])
    }

    @Test func `a missing tool is a warning that names its package`() async throws {
        let place = try Place()
        let page = try place.page(Self.diagram)
        let worker = try place.worker("", hello: "python", .graphviz)
        let drawings = await place.highlights([page], worker)
        #expect(drawings.diagnostics.map(\.severity) == [.warning])
        #expect(drawings.diagnostics[0].notes[0].message.contains("'graphviz'"))
    }
}
