import Deflate
import Fixtures
import Foundation
import OpenSSL
import POSIX
import Testing

@testable import SiteGenerator

/// Releases that are built on one machine and published on another.
@Suite struct PackTests {
    @Test func `a release arrives as it was built, with its compressed copies`() async throws {
        let site = try PackedSite()
        try site.build()
        let outcome = try await site.activate(site.pack())
        #expect(outcome.release == 1 && !outcome.isUnchanged && outcome.failures.isEmpty)
        let built = try PackedSite.release(site.ci)
        #expect(try PackedSite.release(site.server) == built)
        #expect(built.keys.contains("site/index.html.gz"))
        let theme = PackedSite.theme("body {}")
        #expect(try File.read("\(site.server)/\(theme)") == Array("body {}".utf8))
    }

    @Test func `only what changed travels, and the rest is linked`() async throws {
        let site = try PackedSite()
        try await site.publish()
        let secret = "Salaries" + String(repeating: " and more words", count: 100)
        try site.build(
            ["site/index.html": "<h1>New</h1>", "site/hr/list.pdf": nil, "site/new.txt": "New"],
            at: 10
        )
        let pack = try await site.pack(since: site.manifest())
        let all = try await site.pack()
        #expect(pack.count < all.count)
        let outcome = try await site.activate(pack)
        #expect(outcome.release == 2)
        // All but the new page and the new file.
        #expect(outcome.files - outcome.linked == 2)
        #expect(try PackedSite.release(site.server) == PackedSite.release(site.ci))
        let path = "site/hr/index.html"
        #expect(try File.read("\(site.server)/current/\(path)") == Array(secret.utf8))
        let (old, new) = try (
            FileStatus(of: "\(site.server)/releases/1/\(path)"),
            FileStatus(of: "\(site.server)/releases/2/\(path)")
        )
        #expect(old.inode == new.inode)
    }

    @Test func `a file with a compressed copy, and an author's own file of such a name, arrive`()
        async throws
    {
        let site = try PackedSite()
        try site.build([
            "site/a.txt": String(repeating: "text ", count: 300),
            "site/b.txt.gz": "without a file beside it",
        ])
        let copy = CompressionTests.gzip(String(repeating: "text ", count: 300))
        try File.write(copy, to: "\(site.ci)/current/site/a.txt.gz")
        _ = try await site.activate(site.pack())
        #expect(try PackedSite.release(site.server) == PackedSite.release(site.ci))
    }

    @Test func `files larger than a block, and more than a portion, arrive`() async throws {
        let site = try PackedSite()
        var large: [String: String?] = [:]
        for number in 0..<12 {
            let line = "\(number) and \(number * number) lines of text\n"
            large["site/f\(number).bin"] = String(repeating: line, count: 60_000 + number)
        }
        try site.build(large)
        _ = try await site.activate(site.pack())
        #expect(try PackedSite.release(site.server) == PackedSite.release(site.ci))
    }

    @Test func `the server numbers its releases and keeps as many as it is told`() async throws {
        let site = try PackedSite()
        for number in 1...5 {
            try site.build(["site/index.html": "\(number)"], at: number)
            let outcome = try await site.activate(site.pack(since: site.manifest()), keeping: 3)
            #expect(outcome.release == number)
        }
        let numbers = try ReleaseFolder(output: site.server).numbers()
        #expect(numbers == [3, 4, 5])
    }

    @Test func `a release with the same files stays, whenever it was built`() async throws {
        let site = try PackedSite()
        try await site.publish()
        let before = try site.onServer()
        let outcome = try await site.publish(at: 10)
        #expect(outcome.isUnchanged && outcome.release == 1 && outcome.failures.isEmpty)
        #expect(try site.onServer() == before)
        let whole = try await site.pack()
        let refusal = try await site.refusal(Array(whole.dropLast()))
        #expect(refusal == "nothing is published: the pack is cut off")
    }

    @Test func `a release that is not newer than each before is refused, after a rollback too`()
        async throws
    {
        let site = try PackedSite()
        try await site.publish(at: 1)
        let first = try await site.pack()
        try await site.publish(["site/index.html": "Two"], at: 2)
        let second = try await site.pack()
        let why =
            "nothing is published: a release that was built later, or at the same second, was"
            + " activated before; 'sitegen releases rollback' goes back to an older one"
        #expect(try await site.refusal(first) == why)
        _ = try Releases(in: site.server).rollBack(to: 1)
        #expect(try await site.refusal(second) == why)
        try site.build(["site/index.html": "Three"], at: 2)
        #expect(try await site.refusal(site.pack()) == why)
        #expect(ReleaseFolder(output: site.server).current == 1)
        let outcome = try await site.publish(["site/index.html": "Three"], at: 3)
        #expect(outcome.release == 3)
        try site.build(["site/index.html": "Four"], at: 301)
        let refusal = try await site.refusal(site.pack())
        #expect(
            refusal
                == "nothing is published: the pack's release was built 301 s after now; set the clocks right"
        )
    }

    @Test func `an older pack does not come back though nothing on disk is of a newer one`()
        async throws
    {
        let site = try PackedSite()
        let why = "nothing is published: a release that was built later"
        try site.build(["site/index.html": "Old"], at: 1)
        let old = try await site.pack()
        try await site.publish(at: 0)
        // The same files, built later, make no release.
        #expect(try await site.publish(at: 2).isUnchanged)
        #expect(try await site.refusal(old)?.hasPrefix(why) == true)
        // Neither does the release of the newest pack stay for ever.
        try await site.publish(["site/index.html": "New"], at: 9)
        _ = try Releases(in: site.server).rollBack(to: 1)
        try Folder.remove("\(site.server)/releases/2")
        try site.build(["site/index.html": "Slow"], at: 8)
        #expect(try await site.refusal(site.pack())?.hasPrefix(why) == true)
        // A build on the server counts, too.
        let local = try ReleaseWriter(output: site.server, syncs: false)
        _ = try local.write(OutputFile(path: "access", content: .bytes([])))
        _ = try local.finish(keeping: 1)
        let release = "\(site.server)/releases/\(local.number)"
        try File.setModified(release, seconds: PackedSite.now + 20)
        try site.build(["site/index.html": "Slow"], at: 19)
        #expect(try await site.refusal(site.pack())?.hasPrefix(why) == true)
        try site.build(["site/index.html": "Slow"], at: 21)
        #expect(try await site.refusal(site.pack()) == nil)
    }

    @Test func `a release that somebody has changed is made again by its own pack`() async throws {
        let site = try PackedSite()
        try site.build()
        let pack = try await site.pack()
        _ = try await site.activate(pack)
        try File.write(Array("Changed".utf8), to: "\(site.server)/current/site/hr/list.pdf")
        let outcome = try await site.activate(pack)
        #expect(!outcome.isUnchanged && outcome.release == 2)
        #expect(try PackedSite.release(site.server) == PackedSite.release(site.ci))
    }

    @Test func `a compressed copy of another text does not survive the next release`() async throws
    {
        let site = try PackedSite()
        try await site.publish(at: 1)
        let copy = "\(site.server)/current/site/index.html.gz"
        let trailer = try File.read(copy).suffix(8)
        let other = Array(String(repeating: "Come to evil.example. ", count: 20).utf8)
        try File.write(Gzip.compress(other).dropLast(8) + trailer, to: copy)
        try await site.publish(["site/hr/list.pdf": "%PDF 2"], at: 2)
        #expect(try PackedSite.release(site.server) == PackedSite.release(site.ci))
    }

    @Test func `a pack builds on a release that is there and unchanged`() async throws {
        let site = try PackedSite()
        try await site.publish()
        let manifest = try await site.manifest()
        try site.build(["site/index.html": "Two"], at: 1)
        let pack = try await site.pack(since: manifest)
        let path = "\(site.server)/releases/1/site/hr/index.html"
        let content = try File.read(path)
        try File.write(content.map { $0 ^ 1 }, to: path)
        let why =
            "nothing is published: 'site/hr/index.html' in release 1 is not the file that the pack"
            + " takes from there; pack again, without '--since'"
        #expect(try await site.refusal(pack) == why)
        try File.remove(path)
        try SymbolicLink.replace(path, with: "/etc/passwd")
        #expect(try await site.refusal(pack) == why)
        try File.remove(path)
        // The manifest tells what is there, so the missing page travels again.
        let changed = try await site.pack(since: site.manifest())
        #expect(changed.count > pack.count)
        #expect(try await site.activate(changed).release == 2)
        try File.rename("\(site.server)/releases/1", to: "\(site.server)/releases/9")
        try site.build(["site/index.html": "Three"], at: 2)
        let refusal = try await site.refusal(site.pack(since: manifest))
        #expect(
            refusal
                == "nothing is published: the pack builds on release 1, which is not here; pack again,"
                + " with the manifest of the current release"
        )
    }

    @Test func `the manifest names no page, and whoever has it alone can take none over`()
        async throws
    {
        let site = try PackedSite()
        try await site.publish()
        let text = try await site.manifest()
        let manifest = try #require(ReleaseManifest(text: Array(text.utf8)))
        #expect(manifest.release == 1 && manifest.tags.count == Pack.required.count + 6)
        #expect(!text.contains("site/") && !text.contains("hr"))
        // Neither the tag nor a guess of the rest of the digest opens the page for everybody.
        let files = PackedSite.required.merging([
            "access": "site-access 1\nallow public /\nend 1\n"
        ]) { $1 }
        for tag in manifest.tags {
            var entries = files.map { path, text in
                Pack.Entry(
                    path: path,
                    size: text.utf8.count,
                    digest: Digest.sha256(Array(text.utf8))
                )
            }
            let digest = Pack.bytes(tag + String(repeating: "0", count: 48), count: 32) ?? []
            entries.append(
                Pack.Entry(path: "site/hr/index.html", size: 1508, digest: digest, isNew: false)
            )
            entries.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            let pack = Pack(site: PackedSite.site, made: PackedSite.now, base: 1, entries: entries)
            let contents = entries.flatMap { Array((files[$0.path] ?? "").utf8) }
            let refusal = try await site.refusal(
                PackedSite.pack(header: pack.text, contents: contents)
            )
            #expect(refusal != nil)
        }
    }

    @Test(arguments: [
        "", "site-manifest 1\n", "site-manifest 1\nrelease 1\nend 1\n",
        "site-manifest 1\nrelease 1\n0123456789abcdef\nend 1", "release 1\nend 0\n",
        "site-manifest 1\nrelease 1\n0123456789ABCDEF\nend 1\n",
        "site-manifest 1\nrelease 0\nend 0\n",
        "site-manifest 1\nrelease none\n0123456789abcdef\nend 1\n",
        // Lines out of order, and one twice.
        "site-manifest 1\nrelease 1\n9c1185a5c5e9fc54\n0123456789abcdef\nend 2\n",
        "site-manifest 1\nrelease 1\n0123456789abcdef\n0123456789abcdef\nend 2\n",
    ]) func `half a manifest is none`(_ text: String) async throws {
        #expect(ReleaseManifest(text: Array(text.utf8)) == nil)
        let site = try PackedSite()
        try site.build()
        await #expect(throws: CommandError.self) { try await site.pack(since: text) }
    }

    @Test func `a server that trusts a key takes what the key has signed`() async throws {
        let site = try PackedSite()
        try site.build()
        let (mine, trusted) = (Self.pem(privateKey: 1), Self.pem(publicKey: 1))
        let signed = try await site.pack(signingWith: mine)
        let (no, other) = (
            try await site.pack(), try await site.pack(signingWith: Self.pem(privateKey: 2))
        )
        let untrusted = "nothing is published: the pack is not signed"
        #expect(try await site.refusal(no, trusting: trusted) == untrusted)
        let wrong = " with the key that this machine trusts"
        #expect(try await site.refusal(other, trusting: trusted) == untrusted + wrong)
        // The signature of another pack.
        try site.build(["site/index.html": "Two"], at: 1)
        let second = try await site.pack(signingWith: mine)
        let lines = { (pack: [UInt8]) in
            pack.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
        }
        let (head, tail) = (lines(second), lines(signed))
        let mixed = Array([head[0], head[1], tail[2], head[3]].joined(separator: [10]))
        #expect(try await site.refusal(mixed, trusting: trusted) == untrusted + wrong)
        // Of a pack that nobody signed, nothing but its first lines is read.
        let cut = Array(no.prefix(200))
        #expect(try await site.refusal(cut, trusting: trusted) == untrusted)
        #expect(ReleaseFolder(output: site.server).current == nil)
        #expect(try await site.activate(signed, trusting: trusted).release == 1)
        #expect(try await site.activate(second).release == 2)
    }

    @Test func `many packs at once leave whole releases`() async throws {
        let site = try PackedSite()
        var packs: [[UInt8]] = []
        for number in 1...6 {
            let text = "Version \(number)" + String(repeating: " of it", count: 500)
            let changes = (0..<20).map { ("site/p\($0)/index.html", text) }
            try site.build(Dictionary(uniqueKeysWithValues: changes), at: number)
            packs.append(try await site.pack())
        }
        await withTaskGroup { group in
            for pack in packs.shuffled() { group.addTask { _ = try? await site.activate(pack) } }
        }
        // Some were older than those before them; the newest was never refused.
        let current = try PackedSite.release(site.server)
        #expect(current == (try PackedSite.release(site.ci)))
        for number in try ReleaseFolder(output: site.server).numbers() {
            let pages = try (0..<20).map {
                try File.read("\(site.server)/releases/\(number)/site/p\($0)/index.html")
            }
            #expect(Set(pages).count == 1)
        }
    }

    /// A key in PEM: what RFC 8410, section 7 and section 4 put before its 32 bytes.
    private static func pem(privateKey seed: UInt8) -> [UInt8] {
        let start = Pack.bytes("302e020100300506032b657004220420", count: 16) ?? []
        return pem("PRIVATE", start + [UInt8](repeating: seed, count: 32))
    }

    private static func pem(publicKey seed: UInt8) -> [UInt8] {
        let key = Ed25519PrivateKey(seed: [UInt8](repeating: seed, count: 32))
        return pem(
            "PUBLIC",
            (Pack.bytes("302a300506032b6570032100", count: 12) ?? []) + key.publicKey
        )
    }

    private static func pem(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
        let text = Data(bytes).base64EncodedString()
        return Array("-----BEGIN \(kind) KEY-----\n\(text)\n-----END \(kind) KEY-----\n".utf8)
    }
}
