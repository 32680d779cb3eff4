import OpenSSL

@testable import Site
@testable import SiteGenerator

/// What a build is told by git, by other sites and by files that a person keeps for it, and what the
/// preview is asked.
enum AnswerTargets {
    static let all: [String: FuzzTarget.Test] = [
        "git-log": gitLog, "baseline": baseline, "external-address": externalAddress,
        "external-link-cache": externalLinkCache, "loopback-authority": loopbackAuthority,
        "pem": pem,
    ]

    static func gitLog(_ bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self).split(
            separator: "\0",
            omittingEmptySubsequences: false
        )
        let wanted: Set = ["a.md", "b/c.md"]
        var log = GitLog(wanted: wanted)
        var seen: [String: GitHistory.Change] = [:]
        for part in parts {
            log.take(String(part))
            for (path, change) in log.changes {
                expect(wanted.contains(path), "'\(path)' was asked for")
                expect(seen[path] ?? change == change, "the newest change of '\(path)' stays")
                expect(!change.author.contains("\n"), "an author is one line")
            }
            seen = log.changes
        }
        expect(log.isComplete == (log.changes.count == wanted.count), "each file has a change")
    }

    static func baseline(_ bytes: [UInt8]) {
        do throws(Baseline.Mistake) {
            let baseline = try Baseline(parsing: bytes)
            expect((try? Baseline(parsing: Array(baseline.text.utf8))) == baseline, "\(baseline)")
        } catch {
            let lines = 1 + bytes.count { $0 == 10 || $0 == 13 }
            expect((1...lines).contains(error.line), "line \(error.line) of \(lines)")
            expect(!error.message.isEmpty, "a mistake has a message")
        }
    }

    /// What is asked of another machine goes into a request as it stands.
    static func externalAddress(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        guard let address = ExternalAddress(input.text()) else { return }
        check(address)
        if let other = address.following(input.text()) { check(other) }
    }

    private static func check(_ address: ExternalAddress) {
        let text = address.text
        expect(ExternalAddress(text) == address, "\(text) is read as it was written")
        expect(["http", "https"].contains(address.scheme), text)
        expect(address.target.hasPrefix("/"), "\(text) has a path")
        expect(!address.authority.contains(where: { "/?#@\\".contains($0) }), "\(text) has a host")
        let isPlain = text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
        expect(isPlain && !text.contains("#"), "\(text) ends no line")
    }

    static func externalLinkCache(_ bytes: [UInt8]) {
        let cache = ExternalLinkCache(parsing: bytes)
        expect(ExternalLinkCache(parsing: Array(cache.text.utf8)) == cache, cache.text)
        var recent = cache
        recent.forget(olderThan: 100, now: 1000)
        expect(recent.times.values.allSatisfy { 900 < $0 && $0 <= 1000 }, recent.text)
    }

    static func loopbackAuthority(_ bytes: [UInt8]) {
        let host = String(decoding: bytes, as: UTF8.self)
        guard let authority = LoopbackAuthority(host) else { return }
        expect(LoopbackAuthority(String(authority.origin.dropFirst(7))) == authority, host)
        let url = BrowserURL(Array("http://\(host)/".utf8), base: "https://evil.example")
        let name = url?.host ?? ""
        let isLoopback = name == "localhost" || name == "[::1]" || name.hasPrefix("127.")
        expect(isLoopback, "a browser goes to '\(name)' for '\(host)'")
    }

    static func pem(_ bytes: [UInt8]) {
        _ = try? RSAPrivateKey(pem: bytes)
        _ = try? Certificate(pem: bytes)
        _ = CertificateList(pem: bytes)
    }
}
