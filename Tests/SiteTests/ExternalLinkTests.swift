import Diagnostics
import POSIX
import Synchronization
import Testing

@testable import Site

@Suite struct ExternalLinkTests {
    private static func address(_ text: String) throws -> ExternalAddress {
        try #require(ExternalAddress(text))
    }

    @Test(arguments: [
        ("https://Example.com", "https://example.com/"), ("http://a/b?c=d#e", "http://a/b?c=d"),
        ("https://user:secret@a:8443/x", "https://a:8443/x"),
        ("http://[::1]:80/", "http://[::1]:80/"),
        ("mailto:a@b", nil), ("ftp://a/", nil), ("https://", nil), ("/a", nil),
    ])
    func `an address is what a server sees of it`(text: String, expected: String?) {
        #expect(ExternalAddress(text)?.text == expected)
    }

    /// What a server answers to `HEAD` and, where that is asked, to `GET`.
    @Test(
        arguments: [
            ([.status(200, location: nil)], .alive),
            ([.status(404, location: nil), .status(404, location: nil)], .dead(status: 404)),
            ([.status(410, location: nil), .status(410, location: nil)], .dead(status: 410)),
            ([.status(405, location: nil), .status(200, location: nil)], .alive),
            ([.status(404, location: nil), .status(200, location: nil)], .alive),
            ([.status(503, location: nil), .status(503, location: nil)], .unclear("answers 503")),
            ([.trouble("timeout")], .unclear("could not be reached: timeout")),
            ([.refusedAsPrivate], .privateAddress),
            (
                [.status(301, location: "/b"), .status(200, location: nil)],
                .moved(to: "https://a/b", status: 301)
            ),
            (
                [.status(302, location: "http://10.0.0.1/"), .refusedAsPrivate],
                .unclear("redirects to this machine or a private network")
            ),
            (
                [.status(301, location: "mailto:a@b")],
                .unclear("redirects to 'mailto:a@b', which is not a URL")
            ),
            (
                Array(repeating: .status(302, location: "/"), count: 9),
                .unclear("redirects more than 5 times")
            ),
        ] as [([ExternalLinkAnswer], ExternalLinkVerdict)]
    )
    func `answers become a verdict`(answers: [ExternalLinkAnswer], verdict: ExternalLinkVerdict)
        throws
    {
        let left = Mutex(answers)
        let question = ExternalLinkRequest(address: try Self.address("https://a/")) { _, _ in
            left.withLock { $0.isEmpty ? .trouble("asked too often") : $0.removeFirst() }
        }
        #expect(question.verdict() == verdict)
    }

    @Test func `no host is asked more than a few things at once, whatever is asked`() async throws {
        let busy = Mutex<(now: [String: Int], most: Int, all: Int)>(([:], 0, 0))
        var check = ExternalLinkCheck(
            ask: { address, _ in
                busy.withLock { state in
                    state.now[address.authority, default: 0] += 1
                    state.most = max(state.most, state.now[address.authority, default: 0])
                    state.all += 1
                }
                Host.sleep(milliseconds: 2)
                busy.withLock { $0.now[address.authority, default: 1] -= 1 }
                return .status(200, location: nil)
            },
            now: { 0 }
        )
        check.jobs = 8
        let links = (0..<60).map { number in
            ExternalLink(
                url: "https://h\(number % 3)/\(number)#x",
                location: Diagnostics.SourceLocation("a")
            )
        }
        let found = await check.diagnostics(for: links + links, BuildProgress())
        #expect(found.isEmpty)
        // Each once, though each stands there twice.
        busy.withLock { #expect($0.all == 60 && $0.most == 2) }
    }

    @Test func `when the time is over, the rest is one warning`() async {
        let clock = Mutex(0)
        var check = ExternalLinkCheck(
            ask: { _, _ in
                clock.withLock { $0 += 10 }
                return .status(404, location: nil)
            },
            now: { clock.withLock(\.self) }
        )
        check.jobs = 1
        check.totalSeconds = 15
        let links = (0..<5).map {
            ExternalLink(url: "https://a/\($0)", location: Diagnostics.SourceLocation("a", line: 1))
        }
        let messages = await check.diagnostics(for: links, BuildProgress()).map(\.message)
        #expect(
            messages == [
                "link to 'https://a/0' answers 404",
                "4 external URLs were not checked within 15 s; '--total-time' sets the limit",
            ]
        )
    }

    @Test func `good news is believed for a while, and never from a damaged cache`() throws {
        var cache = ExternalLinkCache(parsing: [])
        let a = try Self.address("https://a/")
        cache.note(a, at: 100)
        #expect(ExternalLinkCache(parsing: Array(cache.text.utf8)) == cache)
        cache.forget(olderThan: 50, now: 149)
        #expect(cache.knows(a))
        cache.forget(olderThan: 50, now: 150)
        #expect(!cache.knows(a))
        cache.note(a, at: 500)
        cache.forget(olderThan: 50, now: 400)
        #expect(!cache.knows(a))
        for text in ["", "{", "{\"version\":2,\"alive\":{\"https://a/\":1}}", "[]"] {
            #expect(ExternalLinkCache(parsing: Array(text.utf8)).times.isEmpty)
        }
    }
}
