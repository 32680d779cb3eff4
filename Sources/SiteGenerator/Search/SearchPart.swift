import Access
import Markdown
import OpenSSL

/// The index of one audience: the pages in it, from which its file is made.
struct SearchPart: Sendable {
    /// The readers of the index, for display with results; empty for everybody.
    let readers: String
    /// The URL of the folder in which the folders of its releases are.
    let folder: String
    /// The audience as a policy writes it.
    let audience: String
    /// The language of the site, as a language tag.
    let language: String
    var documents: [SearchDocument]

    init(
        _ audience: Audience,
        _ documents: [SearchDocument],
        _ configuration: SiteConfiguration
    ) {
        readers =
            if case .groups(let names) = audience { configuration.titles(of: names) } else { "" }
        folder = AudienceFiles.searchFolder(audience)
        self.audience = "\(audience)"
        language = configuration.language
        self.documents = documents
    }

    /// The beginning of the keys of the runs of an index.
    private static func runPrefix(_ folder: String) -> [UInt8] {
        Array(Digest.sha256(Array(folder.utf8)).prefix(8))
    }

    /// - Parameter path: of the file in a release: `site/_search/public/1f0c9a…/index.bin`.
    static func runPrefix(ofIndexAt path: String) -> [UInt8] {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        return runPrefix("/" + names.dropFirst().dropLast(2).joined(separator: "/") + "/")
    }

    /// Makes the index.
    ///
    /// - Returns: also the URL of its folder.
    func file(_ store: SearchStore) async -> (folder: String, file: Publication.File) {
        let length = documents.reduce(0) { $0 + ($1.words.records?.length ?? 0) }
        let score = SearchScore(words: length, pages: documents.count)
        async let usual = UsualHeadings(documents)
        let segments = SearchSegments.ranges(documents)
        let prefix = Self.runPrefix(folder)
        let runs = await segments.concurrentMap { store.run(documents[$0], score, prefix) }
        let merge = await RunMerge(runs, firstPages: segments.map(\.lowerBound))
        let key = prefix + Digest.sha256(Array("stems 2 \(language)".utf8))
        let words = await SearchFileWords(
            merge,
            pages: documents.count,
            language: language,
            stems: store.kept?(key) ?? []
        )
        if !words.stems.isEmpty { store.keep?(words.stems, key) }
        let bytes = await SearchFile(documents, words, without: usual, readers: readers).bytes
        let folder = "\(folder)\(Digest.hexadecimal(Digest.sha256(bytes).prefix(8)))/"
        let path = "site\(folder)\(SearchIndex.fileName)"
        return (folder, Publication.File(path: path, content: .bytes(bytes)))
    }

    /// The pages, to be kept from one build to the next; without the words and the places of their
    /// texts.
    ///
    /// - Parameter positions: of the pages in the index of the build, by their URLs.
    func bytes(_ positions: [String: Int]) -> [UInt8] {
        var writer = ByteWriter()
        for text in [readers, folder, audience, language] { writer.write(text) }
        writer.write(documents) { writer, document in
            for text in [document.url, document.title, document.description, document.section] {
                writer.write(text)
            }
            writer.write(positions[document.url] ?? 0)
            writer.write(document.names) { $0.write($1) }
            writer.write(bytes: document.headings.bytes)
        }
        return writer.bytes
    }

    /// - Parameter page: the words of the page with a URL and a position, and the place of its text.
    init?(
        kept bytes: [UInt8],
        page: (String, Int) -> (words: SearchDocument.PageWords, text: Range<Int>)?
    ) {
        var reader = ByteReader(bytes[...])
        guard let readers = reader.text(), let folder = reader.text(),
            let audience = reader.text(), let language = reader.text(),
            let documents: [SearchDocument] = reader.list({ reader in
                guard let url = reader.text(), let title = reader.text(),
                    let description = reader.text(), let section = reader.text(),
                    let position = reader.number(),
                    let names = reader.list({ $0.text() }),
                    let headings = reader.slice(),
                    let (words, text) = page(url, position)
                else { return nil }
                return SearchDocument(
                    url: url,
                    title: title,
                    names: names,
                    description: description,
                    section: section,
                    headings: SearchHeadings(kept: headings),
                    words: words,
                    text: text
                )
            }), reader.isAtEnd
        else { return nil }
        self.readers = readers
        self.folder = folder
        self.audience = audience
        self.language = language
        self.documents = documents
    }
}
