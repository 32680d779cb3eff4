import Markdown
import OpenSSL
import POSIX

/// What a build knows of the previous one: where the outlines of its pages are in the
/// ``RecordLog``, and which files of its release were made of what.
///
/// An outline is looked up by the digest of its source, so it cannot be out of date. A file of the
/// release is used again if the digest of its inputs is the same, and if it is still the same file:
/// the index may be older than the release, and somebody may have changed the release by hand.
///
/// After a power loss a file that was never synced may have the same inode, size and time, but
/// zeros as content. So the index records whether the release was synced. If not, it records the
/// boot ID of the machine, and the files are not used after the next boot.
struct BuildIndex: Sendable {
    /// The records of a page.
    struct PageRecords: Sendable, Hashable {
        let outline: RecordLog.Record
        /// The words of the page.
        let terms: RecordLog.Record
        /// The number of these words, counting repetitions.
        let length: Int
    }

    /// A file of the release.
    struct Output: Sendable {
        /// A digest of its inputs.
        let key: [UInt8]
        let identity: FileIdentity
        /// The range of the page's text in the file.
        let text: Range<Int>
    }

    /// By the digest of the source.
    var pages: [[UInt8]: PageRecords] = [:]
    /// The runs of the search indexes, by what they were made of.
    var runs: [[UInt8]: RecordLog.Record] = [:]
    /// By path in the release.
    var outputs: [String: Output] = [:]

    init() {}

    /// - Parameters:
    ///   - path: of the file; a damaged or foreign file counts as missing.
    ///   - identity: of the program and its configuration.
    init(at path: String, _ identity: BuildIdentity) {
        guard let bytes = ChecksummedFile.read(path) else { return }
        var reader = ByteReader(bytes)
        guard reader.slice().map({ $0.elementsEqual(identity.bytes) }) == true,
            let validity = reader.text(),
            let pages = reader.list({ reader in reader.pageEntry() }),
            let runs = reader.list({ reader in reader.runEntry() }),
            let outputs = reader.list({ reader in reader.outputEntry() }), reader.isAtEnd
        else { return }
        self.pages = Dictionary(pages, uniquingKeysWith: { first, _ in first })
        self.runs = Dictionary(runs, uniquingKeysWith: { first, _ in first })
        if validity == Self.synced || validity == Self.unsynced {
            self.outputs = Dictionary(outputs, uniquingKeysWith: { first, _ in first })
        }
    }

    /// - Parameter isSynced: whether the files of the release are synced to disk.
    func write(to path: String, _ identity: BuildIdentity, isSynced: Bool) {
        var writer = ByteWriter()
        writer.write(bytes: identity.bytes)
        writer.write(isSynced ? Self.synced : Self.unsynced ?? Self.nowhere)
        writer.write(pages.count)
        for (key, records) in pages {
            writer.write(bytes: key)
            writer.write(records.outline)
            writer.write(records.terms)
            writer.write(records.length)
        }
        writer.write(runs.count)
        for (key, record) in runs {
            writer.write(bytes: key)
            writer.write(record)
        }
        writer.write(outputs.count)
        for (path, output) in outputs {
            writer.write(path)
            writer.write(bytes: output.key)
            writer.write(output.identity)
            writer.write(output.text.lowerBound)
            writer.write(output.text.count)
        }
        ChecksummedFile.write(writer.bytes, to: path)
    }

    private static let synced = "synced"
    /// For a release that was not synced by a machine that does not identify its runs.
    private static let nowhere = "nowhere"

    /// For a release that was not synced; `nil` if the machine does not identify its runs.
    private static var unsynced: String? { Host.bootID.map { "run \($0)" } }
}

extension ByteWriter {
    fileprivate mutating func write(_ record: RecordLog.Record) {
        write(record.offset)
        write(record.count)
        write(Int(truncatingIfNeeded: record.check))
    }

    mutating func write(_ identity: FileIdentity) {
        for number in identity.numbers { write(number) }
    }
}

extension ByteReader {
    fileprivate mutating func record() -> RecordLog.Record? {
        guard let offset = number(), let count = number(), let check = number() else { return nil }
        return .init(offset: offset, count: count, check: UInt64(truncatingIfNeeded: check))
    }

    fileprivate mutating func pageEntry() -> (key: [UInt8], value: BuildIndex.PageRecords)? {
        guard let key = slice(), let outline = record(), let terms = record(),
            let length = number(), length >= 0
        else { return nil }
        return (Array(key), .init(outline: outline, terms: terms, length: length))
    }

    fileprivate mutating func runEntry() -> (key: [UInt8], value: RecordLog.Record)? {
        guard let key = slice(), let record = record() else { return nil }
        return (Array(key), record)
    }

    fileprivate mutating func outputEntry() -> (key: String, value: BuildIndex.Output)? {
        guard let path = text(), let key = slice(), let identity = identity(),
            let start = number(), let count = number(), start >= 0, count >= 0
        else { return nil }
        return (path, .init(key: Array(key), identity: identity, text: start..<start + count))
    }

    mutating func identity() -> FileIdentity? {
        var numbers: [Int] = []
        for _ in 0..<FileIdentity.count {
            guard let number = number() else { return nil }
            numbers.append(number)
        }
        return FileIdentity(numbers)
    }
}
