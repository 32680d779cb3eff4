import Markdown
import OpenSSL
import POSIX
import Synchronization

/// What a build reuses from the previous one, and keeps for the next: the outlines and words of
/// pages, and which files of the release were made of what.
///
/// Without the cache a build is slower, with the same result. A damaged, foreign or older cache
/// counts as none.
///
///     public/.cache/records   outlines and words; grows, and is rewritten when half of it is unused
///     public/.cache/index     where they are, and the files of the release
struct BuildCache: Sendable {
    let identity: BuildIdentity
    /// The highlighter, if the cache identifies it without starting a process.
    let highlighter: String?
    /// The folder of the previous release.
    let previousRelease: String?
    private let previous: BuildIndex
    private let log: RecordLog
    private let runs = UsedRuns()
    /// `nil` if nothing is reused or kept.
    private let folder: String?
    /// Whether pages are kept for the next step or build: a check needs neither words nor HTML.
    let keepsPages: Bool

    /// - Parameters:
    ///   - output: the output folder; `nil` for a build that reuses nothing.
    ///   - highlightCache: the file with highlighted code of earlier builds; `nil` without
    ///     highlighting.
    ///   - publishes: whether the build ends with a release, and not with a check.
    ///   - scratch: an existing folder for records that are not kept.
    init(
        _ configuration: SiteConfiguration,
        output: String?,
        highlightCache: String? = nil,
        publishes: Bool = true,
        scratch: String? = nil
    ) {
        keepsPages = publishes
        highlighter = highlightCache.flatMap { path in
            HighlightCache(readingFrom: path, script: Highlighter().script).identity?.text
        }
        identity = BuildIdentity(configuration)
        previousRelease = output.flatMap { output in
            SymbolicLink.destination(of: "\(output)/current").map { "\(output)/\($0)" }
        }
        folder = output.map { "\($0)/.cache" }
        // The mode keeps other users out: the cache contains headings and links of confidential
        // pages.
        if let folder, !publishes || (try? Folder.create(folder, mode: 0o700)) != nil {
            previous = BuildIndex(at: "\(folder)/index", identity)
            log = RecordLog(at: "\(folder)/records", isReadOnly: !publishes)
        } else {
            previous = BuildIndex()
            log = RecordLog(temporaryIn: scratch)
        }
    }

    init(_ folders: SiteFolders, _ options: BuildOptions) {
        self.init(
            folders.configuration,
            output: options.isIncremental ? folders.output : nil,
            highlightCache: folders.configuration.highlights ? folders.highlightCache : nil,
            publishes: options.checks.publishes,
            scratch: folders.output
        )
    }

    /// The outline of a page with this source, without its HTML.
    func outline(of key: [UInt8]) -> (document: RenderedDocument, records: BuildIndex.PageRecords)?
    {
        guard let records = previous.pages[key], let bytes = log.read(records.outline),
            let document = RenderedDocument(outline: bytes[...])
        else { return nil }
        return (document, records)
    }

    func keep(_ document: RenderedDocument, _ terms: PageTerms) -> BuildIndex.PageRecords {
        .init(
            outline: log.append(document.outline),
            terms: log.append(Array(terms.bytes)),
            length: terms.length
        )
    }

    /// What search indexes are made of.
    var searchStore: SearchStore {
        SearchStore(
            terms: { page in
                page.records.flatMap { log.read($0.terms) }
                    .map { PageTerms(kept: $0[...]) } ?? PageTerms()
            },
            length: { page in page.records?.length ?? 0 },
            run: { key in
                guard let record = previous.runs[key], let bytes = log.read(record) else {
                    return nil
                }
                runs.add(record, key)
                return bytes
            },
            keep: { run, key in runs.add(log.append(run), key) }
        )
    }

    /// A page's file in the previous release.
    struct Unchanged: Sendable {
        let file: ReleasedFile
        /// The range of the page's text in the file.
        let text: Range<Int>
    }

    /// The file of the previous release with the same inputs, if it still exists.
    func file(_ path: String, madeOf key: [UInt8]) -> Unchanged? {
        guard let previousRelease, let output = previous.outputs[path], output.key == key,
            let status = try? FileStatus(of: "\(previousRelease)/\(path)"),
            FileIdentity(status) == output.identity
        else { return nil }
        let file = ReleasedFile(path: path, identity: output.identity)
        return Unchanged(file: file, text: output.text)
    }

    /// Whether a file of the previous release may be used again.
    var hasOutputs: Bool { !previous.outputs.isEmpty && previousRelease != nil }

    /// Keeps everything for the next build.
    ///
    /// Errors are ignored: a missing cache only costs time.
    ///
    /// - Parameter isSynced: whether the files of the release are synced to disk.
    func write(_ pages: [Page], _ released: [SiteRelease.ReleasedPage], isSynced: Bool) {
        guard let folder else { return }
        var index = BuildIndex()
        for page in released {
            guard let key = page.key else { continue }
            let file = page.file.file
            index.outputs[file.path] = .init(key: key, identity: file.identity, text: page.text)
        }
        index.runs = runs.all
        index.pages = Dictionary(
            pages.compactMap { page in page.records.map { (page.key, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        if isCrowded(index) {
            guard copy(&index, to: "\(folder)/records") else { return }
        } else if !log.flush() {
            return
        }
        index.write(to: "\(folder)/index", identity, isSynced: isSynced)
    }

    /// Whether more than half of the log is no longer used.
    private func isCrowded(_ index: BuildIndex) -> Bool {
        let pages = index.pages.values.reduce(0) { $0 + $1.outline.count + $1.terms.count }
        let used = index.runs.values.reduce(pages) { $0 + $1.count }
        return log.count > 2 * used + 1 << 20
    }

    /// Copies the records that are used to a new log.
    private func copy(_ index: inout BuildIndex, to path: String) -> Bool {
        let beside = "\(path).\(Host.processID)"
        try? File.remove(beside)
        let new = RecordLog(at: beside)
        var pages: [[UInt8]: BuildIndex.PageRecords] = [:]
        for (key, records) in index.pages {
            guard let outline = log.read(records.outline), let terms = log.read(records.terms)
            else { continue }
            pages[key] = .init(
                outline: new.append(outline),
                terms: new.append(terms),
                length: records.length
            )
        }
        index.pages = pages
        index.runs = index.runs.compactMapValues { log.read($0).map(new.append) }
        guard new.flush(), (try? File.rename(beside, to: path)) != nil else {
            try? File.remove(beside)
            return false
        }
        return true
    }
}

/// The runs that the search indexes of a build are made of.
private final class UsedRuns: Sendable {
    private let runs = Mutex<[[UInt8]: RecordLog.Record]>([:])

    var all: [[UInt8]: RecordLog.Record] { runs.withLock { $0 } }

    func add(_ record: RecordLog.Record, _ key: [UInt8]) { runs.withLock { $0[key] = record } }
}
