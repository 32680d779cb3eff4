import Access
import Foundation
import Testing

@testable import Rendering

/// Builds sites made by chance and reads every file as every reader.
@Suite struct LeakTests {
    private static let sites: UInt64 = 60

    /// What was looked at, so that a test that looks at nothing is seen.
    private struct Count: Sendable {
        var files = 0
        var words = 0
        /// Readers and words that stand in a site, and in nothing that the reader may open.
        var withheld = 0
        var lists = 0
        /// Pages as Markdown.
        var copies = 0
        var indexes = 0
    }

    @Test func `nobody finds a word of a page that they may not open`() async throws {
        var count = Count()
        for seed in 1...Self.sites { try await look(seed, &count) }
        print(
            "\(Self.sites) sites: \(count.files) files, \(count.lists) of them made by the build;",
            "\(count.indexes) indexes, \(count.words) words seen, \(count.withheld) withheld from somebody"
        )
        #expect(count.files > 1000 && count.lists > 500)
        #expect(count.withheld > 4000)
        #expect(count.indexes > 100 && count.copies > 200)
    }

    @Test func `no page shows a text that some of its readers may not read`() async throws {
        var tried = 0
        for seed in 1...Self.sites {
            let site = RandomSite(seed: seed)
            let pairs = site.pages.indices.flatMap { page in
                site.pages.indices.map { (page, $0) }
            }
            guard
                let (page, other) = pairs.filter({ page, other in
                    site.pages[page].isPublished && !site.isContained(page, in: other)
                }).randomElement()
            else { continue }
            let path = "site/\(site.pages[page].path)"
            let form = "\n{{#include /\(site.pages[other].path)}}\n"
            let files = site.files.merging([path: (site.files[path] ?? "") + form]) { $1 }
            let outcome = try await TemporarySite(files).build()
            #expect(outcome.release == nil, "site \(seed): \(path) includes \(form)")
            #expect(outcome.diagnostics.contains { $0.rule == "restricted-include" })
            tried += 1
        }
        #expect(tried > 20)
    }

    private func look(_ seed: UInt64, _ count: inout Count) async throws {
        let files = FileManager.default
        let site = RandomSite(seed: seed)
        let source = try TemporarySite(site.files)
        let outcome = await source.build()
        let errors = outcome.diagnostics.filter { $0.severity == .error }
        #expect(errors.isEmpty, "site \(seed): \(errors.first.map { $0.text(program: "") } ?? "")")
        guard outcome.release != nil else { return }

        let release = source.current
        let text = try String(contentsOf: release.appending(path: "access"), encoding: .utf8)
        let policy = try #require(AccessPolicy(text: text))
        // Where a page is not published, a list may stand instead.
        let authors = Dictionary(
            uniqueKeysWithValues: site.pages.filter(\.isPublished).map { ($0.url, $0) }
        )
        var all: Set<Int> = []
        var seen: [RandomSite.Reader: Set<Int>] = [:]
        for path in try files.subpathsOfDirectory(atPath: release.appending(path: "site").path) {
            let file = release.appending(path: "site/\(path)")
            guard let bytes = try? Data(contentsOf: file) else { continue }
            var text = String(decoding: bytes, as: UTF8.self)
            if path.hasSuffix(SearchIndex.fileName) {
                // Words share their beginnings in it: what a browser makes of it is looked at.
                text = try #require(SearchReader(Array(bytes))).text
                count.indexes += 1
            }
            var url = "/" + path
            if url.hasSuffix("/index.html") { url.removeLast("index.html".count) }
            let judged = SitePath(url).flatMap(policy.audience(of:))
            if url.hasSuffix("/index.md") {
                url.removeLast("index.md".count)
                // It has the rule of its page, and no more words.
                #expect(judged == SitePath(url).flatMap(policy.audience(of:)), "\(seed): \(path)")
                let page = release.appending(path: "site\(url)index.html")
                let shown = RandomSite.words(in: try String(contentsOf: page, encoding: .utf8))
                #expect(RandomSite.words(in: text).isSubset(of: shown), "\(seed): \(path)")
                count.copies += 1
            }
            if path.hasSuffix(".txt"), path.contains("_reader") || path == "llms.txt" {
                count.lists += 1
                for group in RandomSite.groups where path != "_reader/group/\(group).txt" {
                    let words = text.split { !$0.isLetter }
                    #expect(!words.contains { $0 == group }, "\(seed): \(path) names \(group)")
                }
            }
            let page = authors[url]
            // The address of a file is known to whoever may ask for it.
            let words = RandomSite.words(in: text + path).subtracting(page?.quoted ?? [])
            count.files += 1
            count.words += words.count
            all.formUnion(words)
            if page == nil { count.lists += 1 }
            for reader in RandomSite.readers where Self.admits(reader, judged) {
                seen[reader, default: []].formUnion(words)
                if let page {
                    #expect(
                        page.rule.admits(reader),
                        "site \(seed): \(url) is open to \(reader)"
                    )
                }
                for word in words {
                    let owners = site.owners[word] ?? []
                    let mayKnow = owners.contains { site.pages[$0].rule.admits(reader) }
                    #expect(mayKnow, "site \(seed): \(path) tells \(reader) word \(word)")
                }
            }
        }
        for reader in RandomSite.readers {
            count.withheld += all.subtracting(seen[reader, default: []]).count
        }
        // What everybody gets without a question, and what nginx reads.
        for path in ["errors/403.html", "errors/404.html", "auth/page.html", "redirects.map"] {
            let text = try String(contentsOf: release.appending(path: path), encoding: .utf8)
            for word in RandomSite.words(in: text) {
                let owners = site.owners[word] ?? []
                #expect(owners.contains { site.pages[$0].rule == .public }, "\(seed): \(path)")
            }
        }
    }

    private static func admits(_ reader: RandomSite.Reader, _ audience: Audience?) -> Bool {
        switch audience {
        case .public: true
        case .signedIn: reader.isSignedIn
        case .groups(let names): !names.isDisjoint(with: reader.groups)
        case nil: false
        }
    }
}
