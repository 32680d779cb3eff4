import OpenSSL
import POSIX
import Synchronization

/// Records in a file that only grows: pages in memory would make memory grow with the site.
///
/// If the file cannot be written, later records stay in memory.
final class RecordLog: Sendable {
    /// Where a record is, and a part of its digest.
    struct Record: Sendable, Hashable {
        let offset: Int
        let count: Int
        let check: UInt64
    }

    private struct State {
        /// What is not yet in the file.
        var pending: [UInt8] = []
        /// The position of the pending bytes.
        var end: Int
        var isBroken: Bool
    }

    private let file: ScratchFile?
    private let state: Mutex<State>
    /// Whether records may be damaged: those of another process.
    private let verifies: Bool

    private static let bufferBytes = 1 << 20

    /// A log that disappears with the process.
    ///
    /// - Parameter folder: an existing folder; `nil` to keep the records in memory.
    init(temporaryIn folder: String?) {
        file = folder.flatMap { try? ScratchFile(in: $0) }
        verifies = false
        state = Mutex(State(end: 0, isBroken: file == nil))
    }

    /// A log that grows from one build to the next.
    ///
    /// - Parameter isReadOnly: whether new records stay in memory.
    init(at path: String, isReadOnly: Bool = false) {
        file = try? isReadOnly ? ScratchFile(reading: path) : ScratchFile(opening: path)
        verifies = true
        let size = file.flatMap { try? $0.size() }
        state = Mutex(State(end: size ?? 0, isBroken: isReadOnly || size == nil))
    }

    /// The size of all records.
    var count: Int { state.withLock { $0.end + $0.pending.count } }

    func append(_ bytes: [UInt8]) -> Record {
        let check = verifies ? Self.check(bytes) : 0
        return state.withLock { state in
            let record = Record(
                offset: state.end + state.pending.count,
                count: bytes.count,
                check: check
            )
            state.pending += bytes
            if state.pending.count >= Self.bufferBytes { write(&state) }
            return record
        }
    }

    /// - Returns: `nil` if the record is damaged.
    func read(_ record: Record) -> [UInt8]? {
        // The place comes from another file.
        let (end, isTooFar) = record.offset.addingReportingOverflow(record.count)
        guard record.offset >= 0, record.count >= 0, !isTooFar, end <= count else { return nil }
        let pending = state.withLock { state -> [UInt8]? in
            let start = record.offset - state.end
            guard start >= 0, start + record.count <= state.pending.count else { return nil }
            return Array(state.pending[start..<start + record.count])
        }
        let bytes =
            pending
            ?? (try? file?.read(record.offset..<record.offset + record.count))
        guard let bytes, bytes.count == record.count,
            !verifies || Self.check(bytes) == record.check
        else { return nil }
        return bytes
    }

    /// Writes what is pending.
    ///
    /// - Returns: whether all records are in the file.
    func flush() -> Bool {
        state.withLock { state in
            write(&state)
            return !state.isBroken
        }
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

    private static func check(_ bytes: [UInt8]) -> UInt64 {
        Digest.sha256(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
