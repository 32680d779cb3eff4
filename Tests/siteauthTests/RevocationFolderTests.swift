import Fixtures
import POSIX
import Testing

@testable import siteauth

struct RevocationFolderTests {
    /// Two processes with one folder, of which one asks and the other ends sessions.
    @Test func `a session that another process has ended is ended at the next question`() throws {
        let folder = try TemporaryFolder()
        let (asking, ending) = (RevocationFolder(folder.path), RevocationFolder(folder.path))
        try asking.create()
        #expect(ending.add("old"))
        // Now the folder has been quiet for long enough to be listed.
        Host.sleep(milliseconds: 4500)
        for round in 0..<3 {
            #expect(asking.dates(of: ["new-\(round)"]) == [nil])
            #expect(ending.add("new-\(round)"))
            #expect(
                asking.dates(of: ["new-\(round)", "other"])?.map { $0 != nil } == [true, false]
            )
        }
        #expect(asking.dates(of: ["old"])?.first as? Int != nil)
        try File.setModified("\(folder.path)/revoked/old", seconds: 1000)
        #expect(asking.dates(of: ["old"]) == [1000])
    }

    @Test func `without its folder nobody knows who is signed out`() throws {
        let folder = try TemporaryFolder()
        let list = RevocationFolder(folder.path)
        #expect(list.dates(of: ["one"]) == nil)
        try list.create()
        #expect(list.dates(of: ["one"]) == [nil])
        try Folder.remove("\(folder.path)/revoked")
        #expect(list.dates(of: ["one"]) == nil)
    }
}
