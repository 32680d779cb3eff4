import POSIX

/// The HTML of the pages that a build has parsed, outside of memory until they are written.
struct PageBodies: Sendable {
    struct Body: Sendable {
        fileprivate let record: RecordLog.Record
    }

    private let log: RecordLog

    /// - Parameter folder: an existing folder; `nil` to keep the HTML in memory.
    init(in folder: String? = nil) { log = RecordLog(temporaryIn: folder) }

    func add(_ html: [UInt8]) -> Body { Body(record: log.append(html)) }

    /// - Throws: if the file system has lost it.
    func html(_ body: Body) throws(SystemError) -> [UInt8] {
        guard let html = log.read(body.record) else {
            throw SystemError("read", "the HTML of a page", number: 5)
        }
        return html
    }
}
