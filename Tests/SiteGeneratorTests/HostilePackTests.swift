import Fixtures
import OpenSSL
import POSIX
import Testing

@testable import SiteGenerator

/// Packs of somebody who has the key for publishing, or of a bad network: nothing is published,
/// nothing is written outside, and the message says why.
@Suite struct HostilePackTests {
    /// Expects that a pack is refused, and that nothing on the server has changed.
    private func expect(
        _ site: PackedSite,
        _ pack: [UInt8],
        isRefused why: String,
        _ location: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        let before = try site.onServer()
        let refusal = try await site.refusal(pack)
        #expect(refusal?.hasPrefix("nothing is published: ") == true, sourceLocation: location)
        #expect(refusal?.contains(why) == true, "\(refusal ?? "")", sourceLocation: location)
        #expect(try site.onServer() == before, sourceLocation: location)
    }

    private func published() async throws -> PackedSite {
        let site = try PackedSite()
        try await site.publish(at: -10)
        return site
    }

    @Test(arguments: [
        "../evil", "/etc/passwd", "site/../../evil", "site/./a", "site//a", "site/", "site",
        "theme/", "theme", "theme/../../x", "evil", "current", ".lock", "pack", "releases/2/access",
        "site/a/", "site/\u{1}", "site/a\nb", "site/a\u{0}b", "site/a\\b", "site/a%2fb",
        "site/\u{7f}", "auth/other.html", "errors/500.html", "site/auth/x", "site/_theme/x.js",
        "site/_errors/404.html", "access/x", "SITE/index.html", ".htaccess", "site/_reader",
        "site/\u{301}a", "site/auth/\u{903}x", "site/a\u{600}/b",
        "site/" + String(repeating: "n", count: 256),
        "site/" + String(repeating: "n/", count: 32) + "n",
    ]) func `a file outside the places of a release`(_ path: String) async throws {
        let site = try await published()
        let pack = PackedSite.pack(PackedSite.required.merging([path: "evil"]) { $1 })
        try await expect(site, pack, isRefused: "the pack has a file '")
    }

    @Test(arguments: [
        ["site/a", "site/A"], ["site/a", "site/a/b"], ["site/A", "site/a/b"],
        ["site/é.txt", "site/É.txt"], ["site/a.txt", "site/a.TXT"],
        ["site/e\u{301}", "site/\u{e9}"],
    ]) func `two files with one name`(_ paths: [String]) async throws {
        let site = try await published()
        var files = PackedSite.required
        for path in paths { files.updateValue("evil", forKey: path) }
        // In Swift, two spellings of one character are one key.
        guard files.count == PackedSite.required.count + 2 else { return }
        try await expect(site, PackedSite.pack(files), isRefused: "'site/")
    }

    @Test(arguments: ["site/index.html", "site/a.bin", "errors/403.html"])
    func `a compressed file of another text beside a file`(_ path: String) async throws {
        let site = try await published()
        let files = PackedSite.required.merging([path: "text", "\(path).gz": "forged"]) { $1 }
        try await expect(site, PackedSite.pack(files), isRefused: "\(path).gz'")
    }

    @Test(arguments: PackedSite.required.keys.sorted())
    func `a release without its policy or its pages of errors`(_ path: String) async throws {
        let site = try await published()
        let files = PackedSite.required.filter { $0.key != path }
        try await expect(site, PackedSite.pack(files), isRefused: "the pack has no '\(path)'")
    }

    @Test(arguments: [
        "", "site-access 1\n", "site-access 1\nallow signed-in /\nend 2\n",
        "site-access 2\nallow public /\nend 1\n", "site-access 1\nallow public /\nend 1",
        "site-access 1\nallow [hr] /\nend 1\n", "site-access 1\nallow everybody /\nend 1\n",
        "site-access 1\nallow public /../\nend 1\n", "<html>",
    ]) func `a policy that siteauth would not read`(_ text: String) async throws {
        let site = try await published()
        let pack = PackedSite.pack(PackedSite.required.merging(["access": text]) { $1 })
        try await expect(site, pack, isRefused: "'access': it is not a list of who may read what")
    }

    @Test(arguments: [
        "include /etc/passwd;\n", "default \"/x/\";\n", "\"/a/\" \"https://evil.example/\";\n",
        "\"/a/\" \"//evil.example/\";\n", "\"/a/\" \"$cookie_session\";\n", "\"/a/\" \"/b/\"\n",
        "\"/a/\" \"/b/\"; include /etc/passwd;\n", "\"/a/\" \"/b/\";", "\n", "~.* \"/b/\";\n",
        "\"~.*\" \"/b/\";\n", "\"/a/\" \"/b/%0d%0aSet-Cookie:x\";\n", "\"/a\\/\" \"/b/\";\n",
        "\"/a/\" \"/auth/sign-out\";\n", "\"/a/\"; x \" \" \"/b/\";\n", "volatile;\n",
        // An address twice: nginx would not start.
        "\"/a/\" \"/b/\";\n\"/A/\" \"/c/\";\n", "\"/a/\" \"/b/\";\n\"/a/\" \"/b/\";\n",
        // Longer than nginx's table takes.
        "\"/\(String(repeating: "a/", count: 500))\" \"/b/\";\n",
        // In Swift, these quotation marks are a part of the character before or after them.
        "\"/a\u{600}\"; include /x; \"\u{301} \" \"/b/\";\n",
        "\"/a\"\u{301}b/\" \"/b/\";\n",
    ]) func `redirects that nginx would read as something else`(_ text: String) async throws {
        let site = try await published()
        let pack = PackedSite.pack(PackedSite.required.merging(["redirects.map": text]) { $1 })
        try await expect(site, pack, isRefused: "'redirects.map': it has a line")
    }

    @Test func `redirects of a site are taken`() async throws {
        let site = try PackedSite()
        let text = [
            ("/old/", "/new page/"), ("/a\" \"b", "/"), ("/é.html", "/x/y.html"),
            ("/a\"\u{301}b", "/"), ("/a\u{600}\"", "/"),
            (
                "/"
                    + [String](repeating: String(repeating: "é", count: 120), count: 4).joined(
                        separator: "/"
                    ), "/"
            ),
        ]
        .map(RedirectLine.text).joined()
        try await site.publish(["redirects.map": text])
    }

    @Test func `files that siteauth would not read`() async throws {
        let site = try await published()
        let entries = PackedSite.required.sorted { $0.key < $1.key }.map { path, text in
            Pack.Entry(
                path: path,
                size: path == "access" ? (64 << 20) + 1 : text.utf8.count,
                digest: Digest.sha256(Array(text.utf8))
            )
        }
        let large = Pack(site: PackedSite.site, made: PackedSite.now, base: nil, entries: entries)
        try await expect(
            site,
            PackedSite.pack(header: large.text),
            isRefused: "'access' has 67108865 bytes; it may have 64 MiB"
        )
        try site.build()
        let frame = "\(site.ci)/current/auth/page.html"
        try File.remove(frame)
        try File.write([0xFF], to: frame)
        try await expect(
            site,
            site.pack(),
            isRefused: "'auth/page.html': it is not text in UTF-8"
        )
    }

    @Test func `a header of more files or folders than a site has`() async throws {
        let site = try await published()
        let start = "site x\nmade 1\nbase none\n"
        let lines = String(repeating: "x\n", count: 500_001)
        try await expect(
            site,
            PackedSite.pack(header: start + lines + "end 500001\n"),
            isRefused: "the pack has more than 500000 files"
        )
        let empty = Digest.sha256([UInt8]())
        let deep = String(repeating: "/d", count: 29)
        let entries = (100_000..<118_000).map { number in
            Pack.Entry(path: "site/\(number)\(deep)/f", size: 0, digest: empty)
        }
        let folders = Pack(site: PackedSite.site, made: 1, base: nil, entries: entries)
        try await expect(
            site,
            PackedSite.pack(header: folders.text),
            isRefused: "the pack has more than 500000 folders"
        )
    }

    @Test func `a theme file with the name of another one`() async throws {
        let site = try await published()
        for path in [PackedSite.theme("body { }"), "theme/site.css", "theme/x"] {
            let pack = PackedSite.pack(PackedSite.required.merging([path: "evil"]) { $1 })
            try await expect(site, pack, isRefused: "the name of a theme file contains the digest")
        }
    }

    @Test func `a pack of another site`() async throws {
        let site = try await published()
        let pack = PackedSite.pack(PackedSite.required, site: "https://other.example.com")
        try await expect(site, pack, isRefused: "the pack is of the site 'https://other.example")
    }

    @Test(arguments: [
        ("end 7", "end 8"), ("end 7", "end 07"), ("end 7\n", "end 7"), ("end 7\n", ""),
        ("base none", "base 0"), ("base none", "base ../1"), ("base none", "base -1"),
        ("base none", "base 1\nbase 1"), ("made 1", "made -1"), ("made 1", "made 9999999999999999"),
        ("made 1", "made +1"), ("new - 5", "new - 9223372036854775807"),
        ("new - 5", "new - 99999999999999999999"), ("new - 5", "new - -1"),
        ("new - 5", "new x 5"), ("new - 5", "link - 5"), ("new - 5", "new  5"),
        ("new - 5", "old - 5"), ("new - 5", "new - 2000000000"), (" auth/", " %61uth/"),
        (" auth/", " auth%2Fx/"), (" auth/", " AUTH/"), ("site https", "site "),
        ("site https%3A//", "site https://"), ("\n", "\r\n"), ("access", "access\u{e9}"),
        ("access", "acc\tess"), ("new - 5", "new - 6"), ("new - 5", "new - 4"),
    ]) func `a header that does not say what is there`(_ old: String, _ new: String) async throws {
        let site = try await published()
        let entries = PackedSite.required.sorted { $0.key < $1.key }.map { path, text in
            Pack.Entry(path: path, size: text.utf8.count, digest: Digest.sha256(Array(text.utf8)))
        }
        let pack = Pack(site: PackedSite.site, made: PackedSite.now, base: nil, entries: entries)
        let contents = entries.flatMap { Array((PackedSite.required[$0.path] ?? "").utf8) }
        let header = pack.text.replacing(old, with: new, maxReplacements: old == "\n" ? 9 : 1)
        #expect(header != pack.text)
        try await expect(
            site,
            PackedSite.pack(header: header, contents: contents),
            isRefused: "nothing is published"
        )
    }

    @Test func `files out of order, or listed twice`() async throws {
        let site = try await published()
        let entry = Pack.Entry(path: "site/a", size: 0, digest: Digest.sha256([UInt8]()))
        for entries in [
            [entry, entry], [entry, Pack.Entry(path: "access", size: 0, digest: entry.digest)],
        ] {
            let header = Pack(
                site: PackedSite.site,
                made: PackedSite.now,
                base: nil,
                entries: entries
            )
            let pack = PackedSite.pack(header: header.text)
            try await expect(site, pack, isRefused: "twice or out of order")
        }
    }

    @Test func `data that would become more than its size, or is followed by more`() async throws {
        let site = try await published()
        let whole = PackedSite.pack(PackedSite.required)
        try await expect(site, whole + [0], isRefused: "goes on after its last file")
        // A block of 8 MiB in place of a megabyte.
        let bomb = PackedSite.pack(PackedSite.required.merging(["site/zero": "0"]) { $1 })
        let zeros = PackedSite.blocks([UInt8](repeating: 48, count: 1 << 20))
        try await expect(site, Array(bomb.dropLast(8)) + zeros, isRefused: "pack is")
        let header =
            "site-pack 1\nheader 60000000 \(String(repeating: "0", count: 64))\nsignature none\n"
        try await expect(site, Array(header.utf8) + zeros, isRefused: "pack is")
        let huge =
            "site-pack 1\nheader 200000000 \(String(repeating: "0", count: 64))\nsignature none\n"
        try await expect(site, Array(huge.utf8) + zeros, isRefused: "first lines of the pack")
    }

    @Test func `something else`() async throws {
        let site = try await published()
        try await expect(site, [], isRefused: "this is not a pack")
        try await expect(site, Array("site-pack 1".utf8), isRefused: "cut off")
        try await expect(site, Array("site-pack 2\nx".utf8), isRefused: "another version")
        try await expect(
            site,
            [0x1F, 0x8B] + [UInt8](repeating: 0, count: 600),
            isRefused: "not a pack"
        )
        let refusal = await #expect(throws: CommandError.self) {
            try await PackActivation(
                output: site.server,
                site: PackedSite.site,
                releasesKept: 5,
                trustedKey: nil,
                BuildOptions(now: PackedSite.now)
            ).run("/dev/zero")
        }
        #expect(refusal?.message == "nothing is published: '/dev/zero' is not a file")
    }

    @Test func `whatever happens to a pack on its way, its release is published wholly or not`()
        async throws
    {
        let site = try PackedSite()
        try await site.publish(at: -10)
        try site.build(["site/index.html": "<h1>New</h1>", "site/a/index.html": "A"], at: 0)
        let pack = try await site.pack(since: site.manifest())
        let expected = try PackedSite.release(site.ci)
        let before = try site.onServer()
        var chance = RandomSite.Chance(state: 14)
        var refusals: Set<String> = []
        for _ in 0..<3000 {
            let changed = Self.changed(pack, &chance)
            if changed == pack { continue }
            guard let refusal = try await site.refusal(changed) else {
                // Another spelling of the same data.
                #expect(try PackedSite.release(site.server) == expected)
                _ = try Releases(in: site.server).rollBack(to: 1)
                try Folder.remove("\(site.server)/releases/2")
                continue
            }
            refusals.insert(refusal)
        }
        #expect(try site.onServer() == before)
        #expect(refusals.count > 4)
        #expect(try await site.activate(pack).release == 2)
    }

    @Test func `whatever a header says, no file is written outside and no policy is lost`()
        async throws
    {
        let site = try PackedSite()
        try await site.publish(at: -10)
        try site.build(["site/index.html": "<h1>New</h1>"], at: 0)
        let manifest = try #require(ReleaseManifest(text: Array(try await site.manifest().utf8)))
        let listing = try await ReleaseListing("\(site.ci)/current")
        let writer = try PackWriter(
            listing,
            site: PackedSite.site,
            made: PackedSite.now,
            since: manifest
        )
        let lines = writer.pack.text.split(separator: "\n").map(String.init)
        let contents = try writer.pack.entries.filter(\.isNew).flatMap {
            try listing.folder.read($0.path)
        }
        let words = [
            "..", "/", "old", "new", "z", "0", "site", "access", "%00", "%2F", "none", "1", " ",
            "-",
        ]
        let others = { (state: [String: [UInt8]]) in
            state.filter {
                !$0.key.hasPrefix("public/releases/") && $0.key != "current"
                    && !$0.key.hasPrefix("public/theme/")
            }
        }
        let outside = others(try site.onServer())
        var chance = RandomSite.Chance(state: 41)
        for _ in 0..<1500 {
            var changed = lines
            for _ in 0...Int.random(in: 0...1, using: &chance) {
                let number = changed.indices.randomElement(using: &chance) ?? 0
                var line = Array(changed[number])
                let position = Int.random(in: 0..<max(1, line.count), using: &chance)
                let word = words.randomElement(using: &chance) ?? ""
                switch Int.random(in: 0..<5, using: &chance) {
                case 0: line.insert(contentsOf: word, at: min(position, line.count))
                case 1: line.replaceSubrange(min(position, line.count)..., with: word)
                case 2: changed.swapAt(number, (number + 1) % changed.count)
                case 3: changed.append(changed[number])
                default:
                    if !line.isEmpty {
                        line[min(position, line.count - 1)] = Character(
                            word.prefix(1).first.map(String.init) ?? "x"
                        )
                    }
                }
                changed[number] = String(line)
            }
            let header = changed.joined(separator: "\n") + "\n"
            if try await site.refusal(PackedSite.pack(header: header, contents: contents)) != nil {
                continue
            }
            // Such as another time: a pack like any other.
            let release = try PackedSite.release(site.server)
            #expect(PackedSite.required.keys.allSatisfy { release[$0] != nil })
            #expect(release["access"] == Array(PackedSite.access.utf8))
            _ = try Releases(in: site.server).rollBack(to: 1)
            for number in try ReleaseFolder(output: site.server).numbers() where number != 1 {
                try Folder.remove("\(site.server)/releases/\(number)")
            }
        }
        #expect(others(try site.onServer()) == outside)
        #expect(ReleaseFolder(output: site.server).current == 1)
    }

    /// A pack with one to three bytes changed, a part missing, doubled or in another place.
    private static func changed(_ pack: [UInt8], _ chance: inout RandomSite.Chance) -> [UInt8] {
        var bytes = pack
        let (first, second) = (
            Int.random(in: 0..<pack.count, using: &chance),
            Int.random(in: 0..<pack.count, using: &chance)
        )
        let range = min(first, second)..<max(first, second)
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: bytes.removeLast(pack.count - first)
        case 1: bytes.removeSubrange(range)
        case 2: bytes.insert(contentsOf: pack[range], at: first)
        case 3: bytes.swapAt(first, second)
        default:
            for _ in 0...Int.random(in: 0...2, using: &chance) {
                let position = Int.random(in: 0..<pack.count, using: &chance)
                bytes[position] = UInt8.random(in: .min ... .max, using: &chance)
            }
        }
        return bytes
    }
}
