import POSIX
import Synchronization

/// The distinct blocks of code of a build and the new answers to them, outside of memory.
final class CodeBlocks: Sendable {
    private struct Block {
        let language: String
        let html: RecordLog.Record
        var answer: RecordLog.Record?
    }

    private let blocks = Mutex<[HighlightKey: Block]>([:])
    private let log: RecordLog

    /// - Parameter folder: an existing folder; `nil` to keep everything in memory.
    init(in folder: String?) { log = RecordLog(in: folder) }

    var keys: [HighlightKey] { blocks.withLock { Array($0.keys) } }

    var isEmpty: Bool { blocks.withLock(\.isEmpty) }

    /// - Returns: whether the block is new.
    func add(_ code: PlainCode) -> Bool {
        if blocks.withLock({ $0[code.key] != nil }) { return false }
        let block = Block(language: code.language, html: log.append(Array(code.html)))
        return blocks.withLock { $0.updateValue(block, forKey: code.key) == nil }
    }

    /// The block with a key; `nil` if the file system has lost it.
    func code(_ key: HighlightKey) -> PlainCode? {
        guard let block = blocks.withLock({ $0[key] }), let html = try? log.read(block.html) else {
            return nil
        }
        return PlainCode(language: block.language, html: html[...])
    }

    func keep(_ answer: HighlightAnswer, to key: HighlightKey) {
        let record = log.append(answer.text)
        blocks.withLock { $0[key]?.answer = record }
    }

    /// The blocks with a new answer.
    var answered: Set<HighlightKey> {
        blocks.withLock { blocks in Set(blocks.keys.filter { blocks[$0]?.answer != nil }) }
    }

    /// The new answer to a block, in the worker's format.
    func answer(_ key: HighlightKey) -> [UInt8]? {
        blocks.withLock { $0[key]?.answer }.flatMap { try? log.read($0) }
    }
}
