import Fixtures
import POSIX
import Testing

@testable import Rendering
@testable import Search
@testable import Site
@testable import SourceFolder

/// Indexes of random pages, made from runs that are cut anywhere.
@Suite struct SearchRunTests {
    /// A site whose pages have words made up by chance.
    private struct Pages {
        let source: TemporarySite
        let documents: [SearchDocument]
        /// The words of the documents.
        let terms: [PageTerms]

        init(count: Int) throws {
            source = try TemporarySite()
            let root = try OpenFolder(source.folder.path)
            let configuration = SiteConfiguration()
            let syllables = ["reise", "kosten", "antrag", "s", "x", "abrechnung", "é", "東京"]
            var chance = Chance(state: 7)
            var pages: [Page] = []
            let bodies = PageBodies()
            for number in 0..<count {
                let words = (0..<40).map { _ in
                    let count = Int.random(in: 1...3, using: &chance)
                    return (0..<count).map { _ in syllables.randomElement(using: &chance) ?? "" }
                        .joined()
                }
                let path = "p\(number).md"
                let text = "---\ntags: [t\(number % 3)]\n---\n# Page \(number)\n\n"
                try source.write(path, text + words.joined(separator: " "))
                pages.append(
                    Page(
                        reading: SourceTree.File(path: path, displayPath: path, root: root),
                        configuration,
                        BuildOptions(now: 0)
                    ) { document, _, _ in bodies.take(&document, countsWords: true) }
                )
            }
            let site = Site(configuration, folder: "site", pages: pages, assets: [])
            let access = PageAccess(site, Redirects(site))
            let navigation = Navigation(NavigationTree(site, access))
            var documents: [SearchDocument] = []
            var terms: [PageTerms] = []
            for listed in navigation.view(for: .signedIn).order {
                guard let page = site.page(at: listed.url), let body = page.body else { continue }
                let words = try bodies.words(body)
                let text = PageText(range: 0..<9, wordCount: body.wordCount, links: []) { words }
                documents.append(
                    SearchDocument(listed, page, section: "", text, links: [])
                )
                terms.append(words)
            }
            self.documents = documents
            self.terms = terms
        }

        /// The words of the index made from runs of these pages.
        func words(_ cuts: [Range<Int>]) async -> SearchFileWords {
            let score = SearchScore(words: 30, pages: 1)
            let runs = cuts.map { cut in
                var builder = SearchRunBuilder(score)
                for index in cut { builder.add(documents[index], terms[index]) }
                return builder.run()
            }
            let merge = await RunMerge(runs, firstPages: cuts.map(\.lowerBound))
            return await SearchFileWords(merge, pages: documents.count, language: "en")
        }
    }

    private static func parts(_ words: SearchFileWords) -> [[UInt8]] {
        [words.bytes, words.postings, words.directory, words.endings]
    }

    private static func cuts(_ count: Int, _ chance: inout Chance) -> [Range<Int>] {
        let ends = Set(
            (0..<Int.random(in: 0...6, using: &chance)).map { _ in
                Int.random(in: 1..<count, using: &chance)
            }
        ).sorted()
        return zip([0] + ends, ends + [count]).map { $0..<$1 }
    }

    @Test func `where pages are cut into runs does not change the index`() async throws {
        let pages = try Pages(count: 70)
        let whole = Self.parts(await pages.words([0..<70]))
        #expect(whole.allSatisfy { !$0.isEmpty })
        var chance = Chance(state: 3)
        for _ in 0..<20 {
            #expect(Self.parts(await pages.words(Self.cuts(70, &chance))) == whole)
        }
        let single = (0..<70).map { $0..<$0 + 1 }
        #expect(Self.parts(await pages.words(single)) == whole)
    }

    /// More pages than a run has.
    @Test func `the words of an index are those of its pages`() async throws {
        let pages = try Pages(count: 300)
        let (documents, terms) = (pages.documents, pages.terms)
        let file = try await SearchFile(documents, language: "en", readers: "") {
            index throws(SystemError) in terms[index]
        }
        let reader = try #require(SearchReader(file.bytes))
        #expect(reader.pages.map(\.url) == documents.map(\.url))
        #expect(reader.pages.count == 300 && reader.words["page"]?.count == 300)
        #expect(reader.words["reisekosten"] != nil && reader.order == reader.order.sorted())
        var expected: [String: Set<Int>] = [:]
        for number in documents.indices {
            terms[number].forEach { text, word, _ in
                let word = String(decoding: word.map { text[$0] }, as: UTF8.self)
                expected[word, default: []].insert(number)
            }
        }
        #expect(expected.count > 100)
        for (word, numbers) in expected {
            #expect(numbers.isSubset(of: Set((reader.words[word] ?? [:]).keys)), "\(word)")
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
