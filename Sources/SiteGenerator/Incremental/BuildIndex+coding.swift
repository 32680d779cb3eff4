import Diagnostics
import Markdown
import POSIX

extension BuildIndex {
    /// Reads an index; `nil` if the file is missing, damaged or of another program.
    init?(at path: String, _ identity: BuildIdentity) {
        guard let bytes = ChecksummedFile.read(path) else { return nil }
        var reader = ByteReader(bytes)
        self.init()
        guard reader.slice().map({ $0.elementsEqual(identity.bytes) }) == true,
            let validity = reader.text(), let site = reader.slice(), let release = reader.number(),
            let from = reader.number(), let until = reader.number(), from <= until,
            let listed = reader.number(), let sources = reader.list({ $0.source() }),
            let pages = reader.list({ $0.page() }), let files = reader.list({ $0.file() }),
            let runs = reader.list({ $0.run() }), let parts = reader.list({ $0.record() }),
            let manifests = reader.list({ $0.text() }), let outcome = reader.outcome(),
            reader.isAtEnd
        else { return nil }
        self.site = Array(site)
        self.release = release
        days = from..<until
        self.listed = listed
        self.sources = sources
        self.pages = pages
        self.files = files
        self.runs = Dictionary(runs, uniquingKeysWith: { first, _ in first })
        self.parts = parts
        self.manifests = manifests
        self.outcome = outcome
        isSynced = validity == Self.synced
        if !isSynced, validity != Self.unsynced { forgetRelease() }
    }

    func write(to path: String, _ identity: BuildIdentity) {
        // A page takes some 350 bytes, and a copied index more time than an empty place in it.
        var writer = ByteWriter(expecting: 4096 + 512 * pages.count)
        writer.write(bytes: identity.bytes)
        writer.write(isSynced ? Self.synced : Self.unsynced ?? Self.nowhere)
        writer.write(bytes: site)
        for number in [release, days.lowerBound, days.upperBound, listed] { writer.write(number) }
        writer.write(sources) { $0.write($1) }
        writer.write(pages) { $0.write($1) }
        writer.write(files) { $0.write($1) }
        writer.write(Array(runs)) { writer, run in
            writer.write(bytes: run.key)
            writer.write(run.value)
        }
        writer.write(parts) { $0.write($1) }
        writer.write(manifests) { $0.write($1) }
        writer.write(outcome)
        ChecksummedFile.write(writer.bytes, to: path)
    }

    private static let synced = "synced"
    /// For a release that was not synced by a machine that does not identify its runs.
    private static let nowhere = "nowhere"

    /// For a release that was not synced; `nil` if the machine does not identify its runs.
    private static var unsynced: String? { Host.bootID.map { "run \($0)" } }
}

extension ByteWriter {
    mutating func write(_ record: RecordLog.Record) {
        write(record.offset)
        write(record.count)
        write(Int(truncatingIfNeeded: record.check))
    }

    mutating func write(_ records: BuildIndex.PageRecords) {
        write(records.outline)
        write(records.terms)
        write(records.length)
    }

    fileprivate mutating func write(_ source: BuildIndex.Source) {
        write(source.path)
        write(source.kind.rawValue)
        let state = source.state
        write(Int(truncatingIfNeeded: state.device))
        write(Int(truncatingIfNeeded: state.inode))
        for number in [state.size, state.modified, state.changed] { write(number) }
    }

    fileprivate mutating func write(_ page: BuildIndex.PageEntry) {
        write(page.path)
        for digest in [page.key, page.matter, page.interface] { write(bytes: digest) }
        write(page.records)
        write(page.output == nil ? 0 : 1)
        guard let output = page.output else { return }
        write(output.file)
        write(bytes: output.key)
        write(bytes: output.frame)
        write(output.text.lowerBound)
        write(output.text.upperBound)
        write(output.isCompressed ? 1 : 0)
        write(output.urls)
        write(output.titleLevel)
    }

    fileprivate mutating func write(_ file: ReleasedFile) {
        write(file.path)
        write(file.identity)
        write(file.compressed == nil ? 0 : 1)
        if let compressed = file.compressed { write(compressed) }
    }

    private mutating func write(_ identity: FileIdentity) {
        write(Int(truncatingIfNeeded: identity.device))
        write(Int(truncatingIfNeeded: identity.inode))
        write(identity.size)
        write(identity.modifiedSeconds)
        write(identity.modifiedNanoseconds)
    }

    fileprivate mutating func write(_ outcome: SiteBuild.Outcome) {
        write(outcome.pages)
        write(outcome.drafts)
        write(outcome.suppressed)
        for reason in Page.UnpublishedReason.allCases {
            write(outcome.unpublishedReasons[reason] ?? 0)
        }
        write(outcome.diagnostics) { $0.write($1) }
    }

    private mutating func write(_ diagnostic: Diagnostic) {
        write(diagnostic.severity.rawValue)
        write(diagnostic.location)
        write(diagnostic.message)
        write(diagnostic.notes) { writer, note in
            writer.write(note.message)
            writer.write(note.location)
        }
        write(diagnostic.rule.map { [$0] } ?? []) { $0.write($1) }
        write(diagnostic.subject.map { [$0] } ?? []) { $0.write($1) }
    }

    private mutating func write(_ location: SourceLocation?) {
        guard let location else { return write(0) }
        write(location.hasLines ? 1 : 2)
        write(location.path)
        write(location.line)
        write(location.column)
        write((location.length ?? -1) + 1)
    }
}

extension ByteReader {
    mutating func record() -> RecordLog.Record? {
        guard let offset = number(), let count = number(), let check = number() else { return nil }
        return .init(offset: offset, count: count, check: UInt64(truncatingIfNeeded: check))
    }

    mutating func records() -> BuildIndex.PageRecords? {
        guard let outline = record(), let terms = record(), let length = number(), length >= 0
        else { return nil }
        return .init(outline: outline, terms: terms, length: length)
    }

    fileprivate mutating func source() -> BuildIndex.Source? {
        guard let path = text(), let code = number(), let kind = SourceTree.Kind(rawValue: code),
            let device = number(), let inode = number(), let size = number(),
            let modified = number(), let changed = number()
        else { return nil }
        let state = SourceState(
            device: UInt64(truncatingIfNeeded: device),
            inode: UInt64(truncatingIfNeeded: inode),
            size: size,
            modified: modified,
            changed: changed
        )
        return .init(path: path, kind: kind, state: state)
    }

    fileprivate mutating func page() -> BuildIndex.PageEntry? {
        guard let path = text(), let key = slice(), let matter = slice(), let interface = slice(),
            let records = records(), let hasOutput = number()
        else { return nil }
        var page = BuildIndex.PageEntry(
            path: path,
            key: key,
            matter: matter,
            interface: interface,
            records: records
        )
        if hasOutput == 0 { return page }
        guard let file = file(), let key = slice(), let frame = slice(), let start = number(),
            let end = number(), 0 <= start, start <= end, let isCompressed = number(),
            let urls = record(), let titleLevel = number()
        else { return nil }
        page.output = .init(
            file: file,
            key: key,
            frame: frame,
            text: start..<end,
            isCompressed: isCompressed == 1,
            urls: urls,
            titleLevel: titleLevel
        )
        return page
    }

    fileprivate mutating func file() -> ReleasedFile? {
        guard let path = text(), let identity = identity(), let hasCopy = number() else {
            return nil
        }
        var file = ReleasedFile(path: path, identity: identity)
        if hasCopy == 0 { return file }
        guard let compressed = self.identity() else { return nil }
        file.compressed = compressed
        return file
    }

    private mutating func identity() -> FileIdentity? {
        guard let device = number(), let inode = number(), let size = number(),
            let seconds = number(), let nanoseconds = number()
        else { return nil }
        return FileIdentity(
            device: UInt64(truncatingIfNeeded: device),
            inode: UInt64(truncatingIfNeeded: inode),
            size: size,
            modifiedSeconds: seconds,
            modifiedNanoseconds: nanoseconds
        )
    }

    fileprivate mutating func run() -> (key: [UInt8], value: RecordLog.Record)? {
        guard let key = slice(), let record = record() else { return nil }
        return (Array(key), record)
    }

    fileprivate mutating func outcome() -> SiteBuild.Outcome? {
        guard let pages = number(), let drafts = number(), let suppressed = number() else {
            return nil
        }
        var outcome = SiteBuild.Outcome(diagnostics: [])
        (outcome.pages, outcome.drafts, outcome.suppressed) = (pages, drafts, suppressed)
        for reason in Page.UnpublishedReason.allCases {
            guard let count = number() else { return nil }
            if count > 0 { outcome.unpublishedReasons[reason] = count }
        }
        guard let diagnostics = list({ $0.diagnostic() }) else { return nil }
        outcome.diagnostics = diagnostics
        return outcome
    }

    private mutating func diagnostic() -> Diagnostic? {
        guard let severity = text().flatMap(Diagnostic.Severity.init(rawValue:)),
            let location = location(), let message = text(),
            let notes: [Diagnostic.Note] = list({ reader in
                guard let message = reader.text(), let location = reader.location() else {
                    return nil
                }
                return .init(message, at: location.value)
            }), let rule = list({ $0.text() }), let subject = list({ $0.text() })
        else { return nil }
        return Diagnostic(
            severity,
            message,
            at: location.value,
            notes: notes,
            rule: rule.first,
            subject: subject.first
        )
    }

    private mutating func location() -> (value: SourceLocation?, Void)? {
        guard let kind = number() else { return nil }
        if kind == 0 { return (nil, ()) }
        guard let path = text(), let line = number(), let column = number(),
            let length = number()
        else { return nil }
        if kind == 2 { return (SourceLocation(withoutLines: path), ()) }
        let known = length > 0 ? length - 1 : nil
        return (SourceLocation(path, line: line, column: column, length: known), ())
    }
}
