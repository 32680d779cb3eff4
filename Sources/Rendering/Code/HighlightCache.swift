import Bytes
import OpenSSL
import POSIX

/// Answers of earlier builds, by language and code.
///
///     a line that identifies the highlighter
///     the number of answers
///     sorted: the key of each answer, where it is, its size, a checksum
///     the answers
///
/// Answers are read one by one, when a page needs them. Damaged ones are asked again.
struct HighlightCache: Sendable {
    /// The highlighter that answered; `nil` if it is unknown, or not the one of this machine.
    let identity: HighlighterIdentity?
    private let file: ScratchFile?
    private let table: [UInt8]

    private struct Entry {
        let key: HighlightKey
        let range: Range<Int>
        let check: UInt64
    }

    private static let longestLine = 8192
    private static let entryBytes = HighlightKey.byteCount + 24
    /// The maximum ratio of entries to used entries.
    private static let spare = 2

    /// - Parameter worker: the tool, and the worker's program.
    init(at path: String, _ worker: Highlighter) {
        let file = try? ScratchFile(reading: path)
        let start = (try? file?.read(0..<Self.longestLine)) ?? []
        let end = start.firstIndex(of: UInt8(ascii: "\n")) ?? start.count
        let line = String(decoding: start[..<end], as: UTF8.self)
        identity = HighlighterIdentity.current(line, worker.tool, script: worker.script)
        guard identity != nil, end + 9 <= start.count, let file, let size = try? file.size(),
            let count = Int(exactly: start.span.word(at: end + 1)),
            count <= size / Self.entryBytes,
            let table = try? file.read(end + 9..<end + 9 + count * Self.entryBytes),
            table.count == count * Self.entryBytes
        else {
            self.file = nil
            table = []
            return
        }
        self.file = file
        self.table = table
    }

    private var count: Int { table.count / Self.entryBytes }

    private func entry(_ index: Int) -> Entry? {
        let bytes = table.span
        let start = index * Self.entryBytes
        guard let offset = Int(exactly: bytes.word(at: start + 16)),
            let size = Int(exactly: bytes.word(at: start + 24)),
            offset < 1 << 48, size < 1 << 32
        else { return nil }
        return Entry(
            key: HighlightKey(bytes, at: start),
            range: offset..<offset + size,
            check: bytes.word(at: start + 32)
        )
    }

    private func text(_ entry: Entry) -> [UInt8]? {
        guard let text = try? file?.read(entry.range), text.count == entry.range.count,
            Self.check(entry.key, text) == entry.check
        else { return nil }
        return text
    }

    /// The answer to a block, verified like an answer of the worker.
    func answer(to code: PlainCode) -> HighlightAnswer? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if HighlightKey(table.span, at: middle * Self.entryBytes) < code.key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < count, let entry = entry(low), entry.key == code.key, let text = text(entry)
        else { return nil }
        return HighlightAnswer(reading: text[...], of: code)
    }

    /// Writes the cache for the next build, unless the current one can stay.
    ///
    /// - Parameters:
    ///   - blocks: the blocks of the build, with new answers.
    ///   - identity: the highlighter; answers of another one are dropped.
    ///   - mayForget: whether these are all blocks of the site.
    func write(
        to path: String,
        _ blocks: CodeBlocks,
        of identity: HighlighterIdentity,
        mayForget: Bool
    ) throws(SystemError) {
        let isSame = identity == self.identity
        let added = blocks.answered
        let used = Set(blocks.keys)
        var kept = isSame ? (0..<count).compactMap(entry).filter { !added.contains($0.key) } : []
        let isCrowded = mayForget && kept.count + added.count > Self.spare * used.count
        if isSame, !isCrowded, added.isEmpty { return }
        if isCrowded { kept.removeAll { !used.contains($0.key) } }
        let entries = Dictionary(kept.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let partial = path + ".partial"
        if let slash = path.lastIndex(of: "/") { try Folder.create(String(path[..<slash])) }
        try Self.write(to: partial, identity, added.union(entries.keys).sorted()) { key in
            blocks.answer(key) ?? entries[key].flatMap(text)
        }
        try File.rename(partial, to: path)
    }

    private static func write(
        to path: String,
        _ identity: HighlighterIdentity,
        _ keys: [HighlightKey],
        _ answer: (HighlightKey) -> [UInt8]?
    ) throws(SystemError) {
        let file = try ScratchFile(opening: path)
        try file.truncate(to: 0)
        var table: [UInt8] = []
        let line = Array("\(identity.text)\n".utf8)
        // The table is written last, when all checksums are known.
        var end = line.count + 8 + keys.count * entryBytes
        var pending: [UInt8] = []
        for key in keys {
            guard let text = answer(key) else { continue }
            table += key.bytes
            table += UInt64(end + pending.count).bytes
            table += UInt64(text.count).bytes
            table += check(key, text).bytes
            pending += text
            if pending.count < 1 << 20 { continue }
            try file.write(pending, at: end)
            end += pending.count
            pending.removeAll(keepingCapacity: true)
        }
        try file.write(pending, at: end)
        try file.write(line + UInt64(table.count / entryBytes).bytes + table, at: 0)
    }

    /// A checksum: a damaged answer with two classes exchanged would pass as valid HTML, but the
    /// page would differ from that of a clean build.
    private static func check(_ key: HighlightKey, _ text: [UInt8]) -> UInt64 {
        Digest.sha256(key.bytes + text).span.word(at: 0)
    }
}
