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

    @Test func `who signed in is listed with the time of the latest sign-in`() throws {
        let folder = try TemporaryFolder()
        let list = RevocationFolder(folder.path)
        #expect(list.accounts(since: 0)?.map(\.name) == [])
        #expect(!list.noteAccount("account-a", at: 1000))
        try list.create()
        #expect(list.noteProviderSession("sid-a", until: 5000))
        #expect(list.noteAccount("account-a", at: 1000))
        for time in [1000, 2000, 1500] { #expect(list.noteAccount("account-b", at: time)) }
        let all = try #require(list.accounts(since: 1000)).sorted { $0.name < $1.name }
        #expect(all.map(\.name) == ["account-a", "account-b"] && all.map(\.date) == [1000, 2000])
        #expect(list.accounts(since: 1001)?.map(\.name) == ["account-b"])
        #expect(list.accounts(since: 0)?.count == 2)
        #expect(list.knowsProviderSession("sid-a") == true)
        // A link of somebody else is followed by nobody.
        try Folder.remove("\(folder.path)/provider-sessions")
        try SymbolicLink.replace("\(folder.path)/provider-sessions", with: folder.path)
        #expect(list.accounts(since: 0) == nil)
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
