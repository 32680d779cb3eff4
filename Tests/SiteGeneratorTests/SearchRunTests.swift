import POSIX
import Synchronization
import Testing

@testable import SiteGenerator

/// Indexes of random pages, made from runs that are cut, kept and damaged.
@Suite struct SearchRunTests {
    /// A site whose pages are named by numbers and have words made up by chance.
    private struct Pages {
        let source: TemporarySite
        let store: SearchStore
        var site: Site
        var documents: [SearchDocument] = []
        var score = SearchScore(words: 30, pages: 1)

        init(_ names: [String], changed: String? = nil) throws {
            source = try TemporarySite([:])
            let root = try OpenFolder(source.folder.path)
            let configuration = SiteConfiguration()
            let cache = BuildCache(configuration, output: nil)
            store = cache.searchStore
            var pages: [Page] = []
            for name in names {
                var chance = RandomSite.Chance(
                    state: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }
                )
                let syllables = ["reise", "kosten", "antrag", "s", "x", "abrechnung", "é", "東京"]
                let words = (0..<40).map { _ in
                    let count = Int.random(in: 1...3, using: &chance)
                    return (0..<count).map { _ in syllables.randomElement(using: &chance) ?? "" }
                        .joined()
                }
                var text = "---\ntags: [t\(name.count)]\n---\n# Page \(name)\n\n"
                text += words.joined(separator: " ")
                if name == changed { text += " and a change" }
                try source.write("\(name).md", text)
                pages.append(
                    Page(
                        reading: SourceTree.File(
                            path: "\(name).md",
                            displayPath: "\(name).md",
                            root: root
                        ),
                        configuration,
                        BuildOptions(now: 0),
                        cache
                    )
                )
            }
            site = Site(configuration, folder: "site", pages: pages, assets: [])
            let access = PageAccess(site, Redirects(site))
            let navigation = Navigation(NavigationTree(site, access))
            documents = navigation.view(for: .signedIn).order.compactMap { page in
                site.position(ofPageAt: page.url).map {
                    SearchDocument(page, site.pages[$0], section: "", text: 0..<9)
                }
            }
        }

        /// The index made from runs of these pages.
        func index(_ cuts: [Range<Int>], _ kept: Kept? = nil) async -> [UInt8] {
            var store = store
            if let kept {
                store.kept = { key in kept.runs.withLock { $0[key] } }
                store.keep = { run, key in
                    kept.made.add(1, ordering: .relaxed)
                    kept.runs.withLock { $0[key] = run }
                }
            }
            let runs = cuts.map { store.run(documents[$0], score) }
            let merge = await RunMerge(runs, firstPages: cuts.map(\.lowerBound))
            let words = await SearchFileWords(merge, pages: documents.count, language: "en")
            let usual = UsualHeadings(documents)
            return SearchFile(documents, words, without: usual, readers: "").bytes
        }
    }

    /// Runs as a cache keeps them.
    private final class Kept: Sendable {
        let runs = Mutex<[[UInt8]: [UInt8]]>([:])
        let made = Atomic(0)
    }

    private static func cuts(_ count: Int, _ chance: inout RandomSite.Chance) -> [Range<Int>] {
        let ends = Set(
            (0..<Int.random(in: 0...6, using: &chance)).map { _ in
                Int.random(in: 1..<count, using: &chance)
            }
        ).sorted()
        return zip([0] + ends, ends + [count]).map { $0..<$1 }
    }

    @Test func `where pages are cut into runs does not change the index`() async throws {
        let pages = try Pages((0..<70).map { "p\($0)" })
        let whole = await pages.index([0..<70])
        let reader = try #require(SearchReader(whole))
        #expect(reader.pages.count == 70 && reader.words["page"]?.count == 70)
        #expect(reader.words["reisekosten"] != nil && reader.order == reader.order.sorted())
        var chance = RandomSite.Chance(state: 3)
        for _ in 0..<20 {
            #expect(await pages.index(Self.cuts(70, &chance)) == whole)
        }
        let single = (0..<70).map { $0..<$0 + 1 }
        #expect(await pages.index(single) == whole)
    }

    @Test func `the words of a run are those of its pages`() async throws {
        let pages = try Pages((0..<30).map { "p\($0)" })
        let reader = try #require(SearchReader(await pages.index([0..<11, 11..<12, 12..<30])))
        var expected: [String: Set<Int>] = [:]
        for (number, document) in pages.documents.enumerated() {
            document.words.records.map(pages.store.terms)?.forEach { text, word, _ in
                let word = String(decoding: word.map { text[$0] }, as: UTF8.self)
                expected[word, default: []].insert(number)
            }
        }
        #expect(expected.count > 100)
        for (word, numbers) in expected {
            #expect(numbers.isSubset(of: Set((reader.words[word] ?? [:]).keys)), "\(word)")
        }
    }

    @Test func `a kept run is taken while nothing of its pages has changed`() async throws {
        let kept = Kept()
        let names = (0..<50).map { "p\($0)" }
        let cuts = [0..<20, 20..<35, 35..<50]
        let first = try Pages(names)
        let index = await first.index(cuts, kept)
        #expect(kept.made.load(ordering: .relaxed) == 3)
        #expect(await first.index(cuts, kept) == index)
        #expect(kept.made.load(ordering: .relaxed) == 3)
        let changed = try Pages(names, changed: "p7")
        let other = await changed.index(cuts, kept)
        #expect(kept.made.load(ordering: .relaxed) == 4)
        #expect(other == (await changed.index([0..<50])) && other != index)
        var longer = changed
        longer.score = SearchScore(words: 90, pages: 1)
        _ = await longer.index(cuts, kept)
        #expect(kept.made.load(ordering: .relaxed) == 7, "levels depend on the average")
    }

    @Test func `a damaged run stops no build`() async throws {
        let pages = try Pages((0..<40).map { "p\($0)" })
        let cuts = [0..<20, 20..<40]
        let kept = Kept()
        let index = await pages.index(cuts, kept)
        let intact = kept.runs.withLock { $0 }
        var chance = RandomSite.Chance(state: 9)
        for round in 0..<200 {
            let damaged = intact.mapValues { run in
                var run = run
                switch round % 3 {
                case 0: run[Int.random(in: run.indices, using: &chance)] ^= 255
                case 1: run.removeLast(Int.random(in: 1...run.count, using: &chance))
                default: run.insert(0x81, at: Int.random(in: run.indices, using: &chance))
                }
                return run
            }
            kept.runs.withLock { $0 = damaged }
            _ = await pages.index(cuts, kept)
        }
        kept.runs.withLock { $0 = [:] }
        #expect(await pages.index(cuts, kept) == index)
    }

    @Test func `a new page changes a segment or two`() throws {
        let names = (0..<1500).map { "p\(1000 + $0)" }
        let pages = try Pages(names)
        func segments(_ documents: [SearchDocument]) -> [[String]] {
            SearchSegments.ranges(documents).map { documents[$0].map(\.url) }
        }
        let all = segments(pages.documents)
        #expect(all.joined().elementsEqual(pages.documents.map(\.url)))
        #expect(all.count > 3 && all.allSatisfy { $0.count <= 1024 })
        for index in stride(from: 0, to: 1500, by: 100) {
            var fewer = pages.documents
            fewer.remove(at: index)
            #expect(Set(segments(fewer)).subtracting(all).count <= 3)
        }
    }

    @Test func `the average length is rounded`() {
        let lengths = (1...2000).map { SearchScore(words: $0, pages: 1).averageLength }
        #expect(lengths == lengths.sorted() && Set(lengths).count < 40)
        for (words, length) in zip(1..., lengths) where words > 40 {
            #expect(abs(length - words) * 8 <= words, "\(words)")
        }
    }
}
