import Fixtures
import POSIX
import Testing

@Suite struct RecordLogTests {
    @Test(arguments: ["folder", "no folder", "missing folder"])
    func `what is written is read, in any order`(_ place: String) throws {
        let folder = try TemporaryFolder()
        let paths = ["folder": folder.path, "missing folder": folder.path("none")]
        let log = RecordLog(in: paths[place])
        // More than stays in memory.
        let contents = (0..<40).map { number in
            [UInt8](repeating: UInt8(number), count: number % 7 == 0 ? 0 : 90_000 + number)
        }
        let records = contents.map(log.append)
        for (record, content) in zip(records, contents).reversed() {
            #expect(try log.read(record) == content)
        }
    }
}
