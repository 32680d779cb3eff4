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
///     public/.cache/records   outlines, words, runs and stems of search indexes; grows, and is rewritten when half of it is unused
///     public/.cache/index     where they are, and the files of the release
struct BuildCache: Sendable {
    let identity: BuildIdentity
    /// The tools that their caches identify without starting a process.
    let tools: ToolIdentities
    /// The index of the previous build, if its release is the current one or has no files that may
    /// be used again.
    let previous: BuildIndex?
    /// The folder of the previous release.
    let previousRelease: String?
    private var lookup: LazyLookup
    let log: RecordLog
    let runs = UsedRuns()
    private let losses = Losses()
    /// `nil` if nothing is reused or kept.
    private let folder: String?
    /// Whether pages are kept for the next step or build: a check needs neither words nor HTML.
    let keepsPages: Bool

    /// - Parameters:
    ///   - output: the output folder; `nil` for a build that reuses nothing.
    ///   - tools: those that their caches identify.
    ///   - publishes: whether the build ends with a release, and not with a check.
    ///   - scratch: an existing folder for records that are not kept.
    init(
        _ configuration: SiteConfiguration,
        output: String?,
        tools: ToolIdentities = ToolIdentities(),
        publishes: Bool = true,
        scratch: String? = nil
    ) {
        keepsPages = publishes
        self.tools = tools
        identity = BuildIdentity(configuration)
        folder = output.map { "\($0)/.cache" }
        // The mode keeps other users out: the cache contains headings and links of confidential
        // pages.
        if let folder, let output,
            !publishes || (try? Folder.create(folder, mode: 0o700)) != nil
        {
            var index = BuildIndex(at: "\(folder)/index", identity)
            let releases = ReleaseFolder(output: output)
            let current = releases.current
            previousRelease = current.map(releases.release)
            if index?.release != current { index?.forgetRelease() }
            previous = index
            log = RecordLog(at: "\(folder)/records", isReadOnly: !publishes)
        } else {
            previous = nil
            previousRelease = nil
            log = RecordLog(temporaryIn: scratch)
        }
        lookup = LazyLookup(previous ?? BuildIndex())
    }

    init(_ folders: SiteFolders, _ options: BuildOptions) async {
        self.init(
            folders.configuration,
            output: options.isIncremental ? folders.output : nil,
            tools: await ToolIdentities(of: folders),
            publishes: options.checks.publishes,
            scratch: folders.output
        )
    }

    /// The cache for a few changed pages: looking for each outline would need a table of all.
    var withoutOutlines: BuildCache {
        var cache = self
        cache.lookup = LazyLookup(BuildIndex())
        return cache
    }

    /// The outline of a page with this source, without its HTML.
    func outline(of key: [UInt8]) -> (document: RenderedDocument, records: BuildIndex.PageRecords)?
    {
        // Words that cannot be read would be missing in the search.
        guard let records = lookup.value.records(of: key), log.read(records.terms) != nil,
            let bytes = log.read(records.outline),
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
            terms: { records in
                guard let bytes = log.read(records.terms) else {
                    losses.note()
                    return PageTerms()
                }
                return PageTerms(kept: bytes[...])
            },
            kept: { key in
                guard let record = previous?.runs[key], let bytes = log.read(record) else {
                    return nil
                }
                runs.add(record, key)
                return bytes
            },
            keep: { bytes, key in runs.add(log.append(bytes), key) }
        )
    }

    /// Whether the words of a page could not be read, so that search indexes are incomplete.
    var hasLostWords: Bool { losses.isAny }

    /// A page's file in the previous release.
    struct Unchanged: Sendable {
        let file: ReleasedFile
        /// The range of the page's text in the file.
        let text: Range<Int>
    }

    /// The file of the previous release with the same inputs, if it still exists.
    func file(_ path: String, madeOf key: [UInt8]) -> Unchanged? {
        guard let previousRelease, let output = lookup.value.output(path), output.key == key[...],
            let status = try? FileStatus(of: "\(previousRelease)/\(path)"),
            status.identity == output.file.identity
        else { return nil }
        return Unchanged(file: output.file, text: output.text)
    }

    /// Whether a file of the previous release may be used again.
    var hasOutputs: Bool { previous?.release ?? 0 > 0 }

    /// A record of these bytes: that of the previous build if it has the same.
    func keep(_ bytes: [UInt8], unless known: RecordLog.Record?) -> RecordLog.Record {
        if let known, known.count == bytes.count, log.read(known) == bytes { return known }
        return log.append(bytes)
    }

    /// The addresses of a page's references as the index keeps them.
    func keep(urls: [String], of path: String) -> RecordLog.Record {
        var writer = ByteWriter()
        writer.write(urls) { $0.write($1) }
        return keep(writer.bytes, unless: lookup.value.output(path)?.urls)
    }

    func urls(_ record: RecordLog.Record) -> [String]? {
        log.read(record).flatMap { bytes in
            var reader = ByteReader(bytes[...])
            return reader.list { $0.text() }
        }
    }

    /// Keeps everything for the next build.
    ///
    /// Errors are ignored: a missing cache only costs time.
    func write(_ index: consuming BuildIndex) {
        guard let folder else { return }
        if isCrowded(index) {
            guard copy(&index, to: "\(folder)/records") else { return }
        } else if !log.flush() {
            return
        }
        index.write(to: "\(folder)/index", identity)
    }

    /// Whether more than half of the log is no longer used.
    private func isCrowded(_ index: borrowing BuildIndex) -> Bool {
        var used = index.runs.values.reduce(0) { $0 + $1.count }
        for part in index.parts { used += part.count }
        for page in index.pages {
            used += page.records.outline.count + page.records.terms.count
            used += page.output?.urls.count ?? 0
        }
        return log.count > 2 * used + 1 << 20
    }

    /// Copies the records that are used to a new log.
    private func copy(_ index: inout BuildIndex, to path: String) -> Bool {
        let beside = "\(path).\(Host.processID)"
        try? File.remove(beside)
        let new = RecordLog(at: beside)
        func copied(_ record: RecordLog.Record) -> RecordLog.Record? {
            log.read(record).map(new.append)
        }
        var isWhole = true
        index.pages = index.pages.compactMap { page in
            guard let outline = copied(page.records.outline),
                let terms = copied(page.records.terms)
            else {
                isWhole = false
                return nil
            }
            var page = page
            page.records = .init(outline: outline, terms: terms, length: page.records.length)
            if let output = page.output {
                page.output = copied(output.urls).map(output.with(urls:))
                if page.output == nil { isWhole = false }
            }
            return page
        }
        index.runs = index.runs.compactMapValues(copied)
        let parts = index.parts.compactMap(copied)
        if !isWhole || parts.count < index.parts.count {
            index.forgetRelease()
        }
        index.parts = parts
        guard new.flush(), (try? File.rename(beside, to: path)) != nil else {
            try? File.remove(beside)
            return false
        }
        return true
    }
}

/// The runs and stems that the search indexes of a build are made of.
final class UsedRuns: Sendable {
    private let runs = Mutex<[[UInt8]: RecordLog.Record]>([:])

    var all: [[UInt8]: RecordLog.Record] { runs.withLock { $0 } }

    func add(_ record: RecordLog.Record, _ key: [UInt8]) { runs.withLock { $0[key] = record } }
}

/// Whether records were lost after the build began.
private final class Losses: Sendable {
    private let any = Atomic(false)

    var isAny: Bool { any.load(ordering: .relaxed) }

    func note() { any.store(true, ordering: .relaxed) }
}

/// The lookup of an index, made when it is first asked for.
private final class LazyLookup: Sendable {
    private let index: BuildIndex
    private let made = Mutex<BuildIndexLookup?>(nil)

    init(_ index: BuildIndex) { self.index = index }

    var value: BuildIndexLookup {
        made.withLock { lookup in
            if let lookup { return lookup }
            let new = BuildIndexLookup(index)
            lookup = new
            return new
        }
    }
}
