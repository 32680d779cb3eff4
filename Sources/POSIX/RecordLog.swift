import Synchronization

/// Records in a file without a name, outside of memory.
///
/// If the file cannot be written, later records stay in memory.
public final class RecordLog: Sendable {
    public struct Record: Sendable, Hashable {
        fileprivate let offset: Int
        fileprivate let count: Int
    }

    private struct State {
        /// What is not yet in the file.
        var pending: [UInt8] = []
        /// The position of the pending bytes.
        var end = 0
        var isBroken: Bool
    }

    private let file: ScratchFile?
    private let state: Mutex<State>

    private static let bufferBytes = 1 << 20

    /// - Parameter folder: an existing folder; `nil` to keep the records in memory.
    public init(in folder: String?) {
        file = folder.flatMap { try? ScratchFile(in: $0) }
        state = Mutex(State(isBroken: file == nil))
    }

    public func append(_ bytes: [UInt8]) -> Record {
        state.withLock { state in
            let record = Record(offset: state.end + state.pending.count, count: bytes.count)
            state.pending += bytes
            if state.pending.count >= Self.bufferBytes { write(&state) }
            return record
        }
    }

    /// - Throws: if the file system has lost the record.
    public func read(_ record: Record) throws(SystemError) -> [UInt8] {
        let pending = state.withLock { state -> [UInt8]? in
            let start = record.offset - state.end
            guard start >= 0 else { return nil }
            return Array(state.pending[start..<start + record.count])
        }
        if let pending { return pending }
        let bytes = try file?.read(record.offset..<record.offset + record.count) ?? []
        guard bytes.count == record.count else {
            throw SystemError("read", "a record of this process", number: 5)
        }
        return bytes
    }

    private func write(_ state: inout State) {
        guard !state.isBroken, let file else { return }
        do {
            try file.write(state.pending, at: state.end)
            state.end += state.pending.count
            state.pending.removeAll(keepingCapacity: true)
        } catch {
            state.isBroken = true
        }
    }
}
