import Access
import CommonMark
import Diagnostics
import POSIX

@testable import Rendering
@testable import Search
@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

/// What a release is made of.
enum ReleaseTargets {
    static let all: [String: FuzzTarget.Test] = [
        "redirects": redirects, "release-path": releasePath, "summary": summary,
        "page-terms": pageTerms,
    ]

    private static let folder = ScratchFolder()

    // MARK: paths

    static func releasePath(_ bytes: [UInt8]) {
        let path = String(decoding: bytes, as: UTF8.self)
        guard IncomingRelease.mistake(path) == nil else { return }
        let tops: Set = ["access", "redirects.map", "site", "theme", "auth", "errors"]
        let segments = path.utf8.split(separator: 47, omittingEmptySubsequences: false)
            .map { String(decoding: Array($0), as: UTF8.self) }
        expect(tops.contains(segments[0]), "a place of a release: \(path)")
        let isInside = segments.allSatisfy { $0 != "" && $0 != "." && $0 != ".." }
        expect(isInside, "nothing outside the release: \(path)")
        expect(!path.utf8.contains { $0 < 32 || $0 == 127 }, path)
        if segments[0] == "site", segments.count > 1 {
            let reserved: Set = ["auth", "_theme", "_errors", "_preview"]
            expect(!reserved.contains(segments[1].lowercased()), "reserved: \(path)")
        }
    }

    // MARK: redirects.map

    static func redirects(_ bytes: [UInt8]) {
        if RedirectLine.areAll(bytes) {
            for line in bytes.split(separator: 10) {
                let words = nginxWords(line)
                let text = String(decoding: line, as: UTF8.self)
                expect(words?.count == 2, "nginx reads two words: \(text)")
                check(words ?? [])
            }
        }
        var input = FuzzInput(bytes)
        let (url, target) = ("/" + input.text(), "/" + input.text())
        guard SitePathName.mistake(url) == nil, SitePathName.mistake(target) == nil else { return }
        let line = RedirectLine.text(from: url, to: target)
        let words = nginxWords(Array(line.utf8).dropLast()[...])
        expect(words?.first == Array(url.utf8), "nginx reads the address: \(line)")
        check(words ?? [])
        guard url.utf8.count <= RedirectLine.maximumBytes else { return }
        expect(RedirectLine.areAll(Array(line.utf8)), "what is written is read: \(line)")
    }

    private static func check(_ words: [[UInt8]]) {
        guard words.count == 2 else { return }
        let target = String(decoding: words[1], as: UTF8.self)
        let url = BrowserURL(Array("https://a.example".utf8) + words[1], base: "https://a.example")
        expect(url?.origin == "https://a.example", "stays on the site: \(target)")
        expect(words[1].starts(with: [47]) && !words[1].starts(with: [47, 47]), target)
        expect(!words[1].contains { "$ \"\\;{}".utf8.contains($0) || $0 < 32 }, target)
        expect(words[0].first == 47, "no keyword of nginx, and no pattern")
    }

    /// The words of one directive, as nginx reads a configuration (`ngx_conf_read_token`).
    private static func nginxWords(_ line: ArraySlice<UInt8>) -> [[UInt8]]? {
        var words: [[UInt8]] = []
        var rest = line
        while let first = rest.first {
            if first == 32 || first == 9 {
                rest.removeFirst()
                continue
            }
            if first == UInt8(ascii: ";") { return rest.count == 1 ? words : nil }
            guard first == UInt8(ascii: "\"") else { return nil }
            rest.removeFirst()
            var word: [UInt8] = []
            var isClosed = false
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\"") {
                    isClosed = true
                    break
                }
                guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
                    word.append(byte)
                    continue
                }
                switch next {
                case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): word.append(next)
                case UInt8(ascii: "t"): word.append(9)
                case UInt8(ascii: "r"): word.append(13)
                case UInt8(ascii: "n"): word.append(10)
                default: word += [byte, next]
                }
            }
            guard isClosed, let next = rest.first, " \t;".utf8.contains(next) else { return nil }
            words.append(word)
        }
        return nil
    }

    // MARK: SUMMARY.md

    static func summary(_ bytes: [UInt8]) {
        folder.write(bytes, "SUMMARY.md")
        guard let root = try? OpenFolder(folder.path) else { return }
        let file = SourceTree.File(path: "SUMMARY.md", displayPath: "SUMMARY.md", root: root)
        let items = MarkdownOutline(file, origin: nil).outline.items
        let lines = 1 + bytes.count { $0 == 10 || $0 == 13 }
        for (index, item) in items.enumerated() {
            expect((1...lines).contains(item.location.line), "\(item.location)")
            expect((1...33).contains(item.depth), "\(index) is at the depth \(item.depth)")
            expect(item.label != "", "a label has words")
            guard let parent = item.parent else { continue }
            expect(parent < index, "\(parent) comes first")
            expect(items[parent].depth == item.depth - 1, "\(index) is below \(parent)")
        }
    }

    /// The words of any HTML, for the index of the search.
    static func pageTerms(_ bytes: [UInt8]) {
        let terms = PageTerms(bytes)
        var count = 0
        terms.forEach { text, range, weight in
            count += 1
            expect(!range.isEmpty && range.upperBound <= text.count, "a word has letters")
            expect(weight.headings <= 3, "a weight has its limits")
        }
        expect(count <= terms.length && count <= bytes.count, "each word stands in the page")
    }
}
