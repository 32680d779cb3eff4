import Markdown

/// The HTML of the pages that a build has parsed, outside of memory until they are written.
struct PageBodies: Sendable {
    struct Body: Sendable {
        fileprivate let record: RecordLog.Record
    }

    private let log: RecordLog

    /// - Parameter folder: an existing folder; `nil` to keep the HTML in memory.
    init(in folder: String? = nil) { log = RecordLog(temporaryIn: folder) }

    func add(_ html: [UInt8]) -> Body { Body(record: log.append(html)) }

    /// - Returns: `nil` if the file system has lost it.
    subscript(body: Body) -> [UInt8]? { log.read(body.record) }
}
