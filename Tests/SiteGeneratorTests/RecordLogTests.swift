import Fixtures
import Testing

@testable import SiteGenerator

@Suite struct RecordLogTests {
    @Test(arguments: [
        (5, Int.max), (Int.max, 5), (Int.max, Int.max), (0, 1 << 62), (-1, 4), (0, -1), (4, 5),
    ])
    func `a record whose place is not in the file is none`(offset: Int, count: Int) throws {
        let folder = try TemporaryFolder()
        let log = RecordLog(at: folder.path("records"))
        let record = log.append(Array("records".utf8))
        let other = RecordLog.Record(offset: offset, count: count, check: record.check)
        #expect(log.read(other) == nil)
        #expect(log.flush())
        #expect(log.read(other) == nil)
        #expect(log.read(record) == Array("records".utf8))
    }
}
