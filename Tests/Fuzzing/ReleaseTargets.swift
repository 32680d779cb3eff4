import Access
import CommonMark
import Deflate
import Diagnostics
import OpenSSL
import POSIX

@testable import SiteGenerator

/// Packs of somebody who has the key for publishing, and what a release is made of.
enum ReleaseTargets {
    static let all: [String: FuzzTarget.Test] = [
        "pack": pack, "pack-header": packHeader, "release-manifest": releaseManifest,
        "redirects": redirects, "summary": summary,
    ]

    private static let folder = ScratchFolder()

    private static func reader(_ bytes: [UInt8]) -> PackReader? {
        folder.write(bytes, "pack")
        guard let file = try? ScratchFile(reading: "\(folder.path)/pack") else { return nil }
        return try? PackReader(file, trusting: nil)
    }

    /// The bytes of a file; and behind a header and contents of the input, blocks that are right.
    static func pack(_ bytes: [UInt8]) {
        check(bytes)
        var input = FuzzInput(bytes)
        let header = withRequired(input.part())
        let contents = input.remainder()
        let digest = Digest.hexadecimal(Digest.sha256(header))
        let start = "site-pack 1\nheader \(header.count) \(digest)\nsignature none\n"
        check(Array(start.utf8) + block(header) + block(contents))
    }

    private static func check(_ bytes: [UInt8]) {
        guard let reader = reader(bytes) else { return }
        check(reader.pack)
        let isWhole = (try? reader.verifyContents()) != nil
        var rest = reader
        for entry in reader.pack.entries where entry.isNew {
            guard let content = try? rest.read(entry) else {
                expect(!isWhole, "a whole pack has all files")
                return
            }
            expect(content.count == entry.size, "a file has the size that its header says")
            let isRight = Digest.sha256(content) == entry.digest
            expect(isRight || !isWhole, "and the digest")
        }
        expect(!isWhole || (try? rest.end()) != nil, "nothing follows the last file")
    }

    private static func block(_ bytes: [UInt8]) -> [UInt8] {
        let data = Deflate.compress(bytes[...])
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: data.count >> $0) } + data
    }

    /// A header that has a line `required` gets the lines that no release can be without.
    private static func withRequired(_ header: [UInt8]) -> [UInt8] {
        let empty = Digest.hexadecimal(Digest.sha256([]))
        let lines = Pack.required.sorted().map { "new - 0 \(empty) \($0)" }
        return Array(
            String(decoding: header, as: UTF8.self)
                .replacing("required", with: lines.joined(separator: "\n")).utf8
        )
    }

    static func packHeader(_ bytes: [UInt8]) {
        let header = withRequired(bytes)
        guard let pack = try? Pack(header: header) else { return }
        expect(pack.text.utf8.elementsEqual(header), "a header has one spelling: \(pack.text)")
        check(pack)
    }

    private static func check(_ pack: Pack) {
        let tops: Set = ["access", "redirects.map", "site", "theme", "auth", "errors"]
        var names: Set<String> = []
        for entry in pack.entries {
            let segments = entry.path.utf8.split(separator: 47, omittingEmptySubsequences: false)
                .map { String(decoding: Array($0), as: UTF8.self) }
            expect(tops.contains(segments[0]), "a place of a release: \(entry.path)")
            let isInside = segments.allSatisfy { $0 != "" && $0 != "." && $0 != ".." }
            expect(isInside, "nothing outside the release: \(entry.path)")
            expect(!entry.path.utf8.contains { $0 < 32 || $0 == 127 }, "\(entry.path)")
            expect(names.insert(entry.path.lowercased()).inserted, "once: \(entry.path)")
            expect(entry.size >= 0 && entry.digest.count == 32, "\(entry)")
            if segments[0] == "site", segments.count > 1 {
                let reserved: Set = ["auth", "_theme", "_errors", "_preview"]
                expect(!reserved.contains(segments[1].lowercased()), "reserved: \(entry.path)")
            }
        }
        expect(Pack.required.allSatisfy { names.contains($0) }, "no release without its policy")
        expect(pack.base != 0 && pack.made >= 0, "\(pack.made)")
    }

    static func releaseManifest(_ bytes: [UInt8]) {
        guard let manifest = ReleaseManifest(text: bytes) else { return }
        expect(ReleaseManifest(text: Array(manifest.text.utf8)) == manifest, "read as written")
        expect(manifest.text.utf8.elementsEqual(bytes), "nothing else is read: \(manifest.text)")
        expect(ReleaseManifest(text: bytes.dropLast()) == nil, "half a manifest is none")
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
        guard let summary = Summary([file]) else { return }
        let lines = 1 + bytes.count { $0 == 10 || $0 == 13 }
        let positions = summary.entries.values.map(\.position).sorted()
        expect(positions == Array(0..<positions.count), "each has a position of its own")
        for (path, entry) in summary.entries {
            expect((1...lines).contains(entry.location.line), "\(entry.location)")
            expect((1...33).contains(entry.depth), "\(path) is at the depth \(entry.depth)")
            expect(entry.label != "", "a label has words")
            guard let parent = entry.parent else { continue }
            let above = summary.entries[parent]
            expect(above?.depth == entry.depth - 1, "\(path) is below \(parent)")
            expect((above?.position ?? .max) < entry.position, "\(parent) comes first")
        }
    }
}
