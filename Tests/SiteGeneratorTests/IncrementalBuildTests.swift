import Foundation
import POSIX
import Testing

@testable import SiteGenerator

/// A build that takes over what has not changed writes what a build from nothing writes.
@Suite struct IncrementalBuildTests {
    /// A site on disk that changes as sites do.
    private struct ChangingSite {
        let site: TemporarySite
        var chance: RandomSite.Chance
        var pages: [String] = []
        var counter = 0

        init(seed: UInt64) throws {
            chance = RandomSite.Chance(state: seed)
            site = try TemporarySite()
            try write(
                "sitegen.toml",
                """
                title = "T"
                base_url = "https://docs.example.com"
                precompress = true
                [groups]
                hr = { role = "HR" }
                board = { role = "Board" }
                [checks]
                dead-link = "off"
                link-to-draft = "off"

                """
            )
            try write("templates/other.html", "<b>{{title}}</b>{{{content}}}")
            for _ in 0..<24 { try addPage() }
        }

        var folder: URL { site.folder }

        func write(_ path: String, _ text: String) throws { try site.write(path, text) }

        mutating func pick<Element>(_ list: [Element]) -> Element {
            list[Int.random(in: list.indices, using: &chance)]
        }

        mutating func addPage() throws {
            counter += 1
            let path = pick(["", "a/", "a/b/", "hr/"]) + "p\(counter).md"
            pages.append(path)
            try writePage(path)
        }

        mutating func writePage(_ path: String) throws {
            counter += 1
            var matter = "title: Title \(Int.random(in: 0..<9, using: &chance))\n"
            if counter % 7 == 0 { matter += "search: false\n" }
            if Bool.random(using: &chance) { matter += "weight: \(counter % 7)\n" }
            if Bool.random(using: &chance) { matter += "tags: [t\(counter % 3)]\n" }
            if counter % 5 == 0 { matter += "access: [\(pick(["hr", "board"]))]\n" }
            if counter % 11 == 0 { matter += "draft: true\n" }
            if counter % 13 == 0 { matter += "aliases: [/old/\(counter)/]\n" }
            if counter % 17 == 0 { matter += "template: other\n" }
            let link = pages.randomElement(using: &chance) ?? path
            try write(
                "site/\(path)",
                "---\n\(matter)---\n# H \(counter)\n\n## Part\n\n[x](/\(link))\n\n| a |\n|---|\n| b |\n"
            )
        }

        mutating func change() throws {
            let index = Int.random(in: pages.indices, using: &chance)
            let path = pages[index]
            let file = folder.appending(path: "site/\(path)")
            switch Int.random(in: 0..<10, using: &chance) {
            case 0: try addPage()
            case 1 where pages.count > 10:
                try FileManager.default.removeItem(at: file)
                pages.remove(at: index)
            case 2:
                counter += 1
                pages[index] = "a/moved\(counter).md"
                let target = folder.appending(path: "site/\(pages[index])")
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try FileManager.default.moveItem(at: file, to: target)
            case 3:
                counter += 1
                try write(
                    "templates/page.html",
                    "<!-- \(counter % 3) -->{{{content}}}{{{navigation}}}{{title}}"
                )
            case 4: try write("templates/theme/site.css", "a{color:#00\(counter % 9)}")
            case 5:
                try write("site/a/index.md", "---\ntitle: A \(counter)\naccess: [hr, board]\n---\n")
            default: try writePage(path)
            }
        }

        /// Everything below the current release, by path.
        func release(_ output: String) throws -> [String: Data] { try site.files(output) }

        func build(_ output: String, isIncremental: Bool) async -> SiteBuild.Outcome {
            await site.build {
                $0.output = folder.appending(path: output).path
                $0.isIncremental = isIncremental
            }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `after any change, the result is that of a clean build`(seed: UInt64) async throws {
        var site = try ChangingSite(seed: seed)
        var published = 0
        var indexes = 0
        for step in 0..<12 {
            let cache = site.folder.appending(path: "public/.cache")
            let caches = ["records", "index"].map { cache.appending(path: $0) }
            switch step % 7 {
            case 3: try? FileManager.default.removeItem(at: cache)
            case 5:
                for file in caches {
                    guard var bytes = try? Data(contentsOf: file), !bytes.isEmpty else { continue }
                    bytes[Int.random(in: bytes.indices, using: &site.chance)] ^= 0x41
                    try bytes.write(to: file)
                }
            default: break
            }
            try site.change()
            let taken = await site.build("public", isIncremental: true)
            try? FileManager.default.removeItem(at: site.folder.appending(path: "clean"))
            let clean = await site.build("clean", isIncremental: false)
            #expect(taken.diagnostics == clean.diagnostics)
            #expect((taken.release == nil) == (clean.release == nil))
            guard clean.release != nil else { continue }
            published += 1
            let (left, right) = (try site.release("public"), try site.release("clean"))
            #expect(Set(left.keys) == Set(right.keys))
            indexes += right.keys.count { $0.hasSuffix(SearchIndex.fileName) }
            for (path, bytes) in right { #expect(left[path] == bytes, "\(seed), \(step): \(path)") }
        }
        #expect(published > 5 && indexes > published)
    }

    @Test func `what has not changed is neither parsed nor rendered again`() async throws {
        let site = try TemporarySite(["sitegen.toml": "base_url = 'https://docs.example.com'\n"])
        for number in 0..<20 { try site.write("site/p\(number).md", "# Page \(number)\n") }
        let first = await site.build().counts
        #expect(first?.parsed == 20 && first?.rendered == 20 && first?.linked == 0)
        let second = await site.build().counts
        #expect(second?.parsed == 0 && second?.rendered == 0 && second?.reused == 20)
        #expect(second?.written == 0 && second?.linked == first?.written)
        try site.write("site/p7.md", "# Page 7\n\nMore.\n")
        let third = await site.build().counts
        #expect(third?.parsed == 1 && third?.rendered == 1 && third?.reused == 19)
        // The page, and the index of the search with its words.
        #expect((1...5).contains(third?.written ?? 0), "\(String(describing: third))")
    }

    @Test func `what was not synced is believed during one run of the machine alone`() async throws
    {
        let site = try TemporarySite(["sitegen.toml": "fsync = false\n", "site/a.md": "# A\n"])
        #expect(await site.build().counts?.rendered == 1)
        #expect(await site.build().counts?.rendered == 0)
        let index = site.folder.path + "/public/.cache/index"
        let bytes = try #require(ChecksummedFile.read(index))
        let run = Array("run \(Host.bootID ?? "-")".utf8)
        let range = try #require(Array(bytes).firstRange(of: run))
        var changed = Array(bytes)
        changed[range.lowerBound + 4] ^= 1
        ChecksummedFile.write(changed, to: index)
        #expect(await site.build().counts?.rendered == 1)
        // And what was synced, during any.
        try site.write("sitegen.toml", "fsync = true\n")
        _ = await site.build()
        let synced = try #require(ChecksummedFile.read(index))
        #expect(Array(synced).firstRange(of: Array("synced".utf8)) != nil)
        #expect(await site.build().counts?.rendered == 0)
    }

    @Test func `new texts come between old frames, and nothing new keeps the release`()
        async throws
    {
        let site = try TemporarySite([
            "sitegen.toml": "precompress = true\nfsync = false\n[groups]\nhr = { role = 'HR' }\n",
            "site/hr/index.md": "---\naccess: [hr]\n---\n# HR\n\n[a](../a.md#part)\n",
            "site/a.md": "---\ntags: [t]\n---\n## Part\n\nText.\n\n```sh\ntrue\n```\n",
            "site/b.md": "# B\n\n[to A](a.md)\n",
        ])
        for number in 0..<20 { try site.write("site/p\(number).md", "# Page \(number)\n\nWord.\n") }
        let first = await site.build()
        #expect(first.release == 1 && !first.isUnchanged, "\(first.diagnostics)")
        let same = await site.build()
        #expect(same.release == 1 && same.isUnchanged && same.pages == first.pages)
        #expect(same.diagnostics == first.diagnostics)
        let texts = [
            ("hr/index.md", "---\naccess: [hr]\n---\n# HR\n\nSecret.\n\n[a](../a.md#part)\n"),
            ("a.md", "---\ntags: [t]\n---\n## Part\n\nOther.\n\n```sh\nfalse\n```\n"),
            ("p3.md", "# Page 3\n\n\(String(repeating: "Much more. ", count: 200))\n"),
        ]
        for (step, (path, text)) in texts.enumerated() {
            try site.write("site/\(path)", text)
            let next = await site.build()
            #expect(next.release == step + 2 && next.counts?.parsed == 1, "\(path)")
            #expect(next.diagnostics == first.diagnostics)
            _ = await site.build {
                $0.output = site.folder.path + "/clean\(step)"
                $0.isIncremental = false
            }
            let clean = try site.files("clean\(step)")
            #expect(try site.files("public") == clean, "\(path)")
        }
        // The file system may note the same time for another text of the same size.
        try site.write("site/b.md", "# B\n\n[to A](a.md) \n")
        #expect(await site.build().release == 5)
        try site.write("site/b.md", "# B\n\n[to A](a.md)!\n")
        #expect(await site.build().release == 6)
        #expect(await site.build().isUnchanged)
        // A file of the release that somebody has changed is written again.
        try site.write("public/current/site/b/index.html", "changed")
        let mended = await site.build()
        #expect(mended.release == 7)
        #expect(try site.files("public")["site/b/index.html"] != Data("changed".utf8))
    }

    @Test func `an old index beside a newer release is not used`() async throws {
        let site = try ChangingSite(seed: 9)
        let page = site.pages[0]
        try site.write("site/\(page)", "# One\n")
        let first = await site.build("public", isIncremental: true)
        #expect(first.release == 1, "\(first.diagnostics)")
        let list = site.folder.appending(path: "public/.cache/index")
        let old = try Data(contentsOf: list)
        try site.write("site/\(page)", "# Two\n")
        _ = await site.build("public", isIncremental: true)
        try old.write(to: list)
        try site.write("site/\(page)", "# One\n")
        let outcome = await site.build("public", isIncremental: true)
        #expect(outcome.release == 3)
        _ = await site.build("clean", isIncremental: false)
        #expect(try site.release("public") == site.release("clean"))
    }
}
