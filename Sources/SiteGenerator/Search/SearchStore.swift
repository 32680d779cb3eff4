import OpenSSL

/// Where a search index finds the words of pages, and what earlier builds kept: runs and stems.
struct SearchStore: Sendable {
    /// The words of a page's text.
    let terms: @Sendable (BuildIndex.PageRecords) -> PageTerms
    /// What an earlier build kept for a key, whole and unchanged; `nil` if there is nothing.
    var kept: (@Sendable (_ key: [UInt8]) -> [UInt8]?)?
    /// Keeps bytes for later builds.
    var keep: (@Sendable (_ bytes: [UInt8], _ key: [UInt8]) -> Void)?

    /// The run of some pages of an index.
    ///
    /// - Parameter prefix: the beginning of the keys of all runs of the index.
    func run(
        _ documents: ArraySlice<SearchDocument>,
        _ score: SearchScore,
        _ prefix: [UInt8] = []
    ) -> SearchRun {
        let key = prefix + key(documents, score)
        if let bytes = kept?(key), let kept = SearchRun(kept: bytes, pages: documents.count) {
            return kept
        }
        var builder = SearchRunBuilder(score)
        for document in documents {
            builder.add(document, document.words.records.map(terms) ?? PageTerms())
        }
        let run = builder.run()
        keep?(run.bytes, key)
        return run
    }

    /// A digest of everything that a run depends on.
    private func key(_ documents: ArraySlice<SearchDocument>, _ score: SearchScore) -> [UInt8] {
        if kept == nil, keep == nil { return [] }
        var text = Array("run 2".utf8)
        text.reserveCapacity(200 * documents.count)
        text.append(number: score.averageLength)
        for document in documents {
            text.append(text: document.words.key)
            text.append(document.title)
            text.append(number: document.names.count)
            for name in document.names { text.append(name) }
        }
        return Digest.sha256(text)
    }
}
