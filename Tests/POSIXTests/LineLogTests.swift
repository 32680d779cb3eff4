import Fixtures
import Glibc
import Testing

@testable import POSIX

@Suite struct LineLogTests {
    private static func text(_ path: String) throws -> String {
        String(decoding: try File.read(path), as: UTF8.self)
    }

    @Test func `lines go to the file that has the name now`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("audit")
        let (log, other) = (LineLog(path), LineLog(path))
        try log.append("a\n")
        try other.append("b\n")
        #expect(try Self.text(path) == "a\nb\n")
        #expect(try FileStatus(of: path).permissions == 0o600)
        try File.rename(path, to: path + ".1")
        try log.append("c\n")
        try other.append("e\n")
        #expect(try Self.text(path) == "c\ne\n" && Self.text(path + ".1") == "a\nb\n")
        try File.remove(path)
        try other.append("d\n")
        #expect(try Self.text(path) == "d\n" && log.problem == nil)
    }

    /// What stands in place of the file.
    @Test(arguments: [
        "link", "dangling link", "folder", "pipe", "device", "open to others", "gone",
    ])
    func `nothing but a file of its own is written to`(_ kind: String) throws {
        let folder = try TemporaryFolder(["victim": "secret"])
        var path = folder.path("audit")
        switch kind {
        case "link": try SymbolicLink.replace(path, with: "victim")
        case "dangling link": try SymbolicLink.replace(path, with: "none")
        case "folder": try Folder.create(path)
        case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
        case "device": path = "/dev/full"
        case "open to others": try File.write([], to: path, mode: 0o644)
        default: path = folder.path("none/audit")
        }
        #expect(LineLog.problem(ofFileAt: path, owner: Host.userID) != nil)
        let log = LineLog(path)
        #expect(log.problem != nil)
        #expect(throws: SystemError.self) { try log.append("a\n") }
        #expect(try Self.text(folder.path("victim")) == "secret")
        #expect((try? FileStatus(of: folder.path("none"))) == nil)
        guard kind != "device" else { return }
        if kind == "gone" {
            try Folder.create(folder.path("none"))
        } else {
            try File.rename(path, to: path + ".old")
        }
        #expect(log.problem == nil)
        try log.append("a\n")
        #expect(try Self.text(path) == "a\n")
    }

    @Test func `a file that others may read from now on gets no further line`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("audit")
        #expect(LineLog.problem(ofFileAt: path, owner: Host.userID) == nil)
        #expect((try? FileStatus(of: path)) == nil)
        let log = LineLog(path)
        try log.append("a\n")
        #expect(unsafe chmod(path, 0o640) == 0)
        #expect(throws: SystemError.self) { try log.append("b\n") }
        #expect(log.problem?.reason == "others may read or change it; its mode must be 600")
        #expect(unsafe chmod(path, 0o600) == 0)
        try log.append("c\n")
        #expect(try Self.text(path) == "a\nc\n")
        let other = LineLog.problem(ofFileAt: path, owner: Host.userID + 1)
        #expect(other?.reason == "it belongs to another account than the one that writes it")
    }

    @Test func `half a line stays alone`() throws {
        let folder = try TemporaryFolder(["audit": "a\n{\"half"])
        let path = folder.path("audit")
        #expect(unsafe chmod(path, 0o600) == 0)
        let log = LineLog(path)
        for line in ["b\n", "c\n"] { try log.append(line) }
        #expect(try Self.text(path) == "a\n{\"half\nb\nc\n")
    }

    @Test func `a full disk is an error`() throws {
        let full = try FileDescriptor(opening: "/dev/full", flags: O_WRONLY)
        #expect(throws: SystemError("write", "x", number: ENOSPC)) {
            try LineLog.write([1], to: full.number, "x")
        }
    }

    @Test func `lines of many threads do not mix`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("audit")
        let logs = [LineLog(path), LineLog(path)]
        let lines = (0..<400).map { String(repeating: "\($0 % 10)", count: 700) + "\n" }
        _ = await Array(lines.indices).concurrentMap { try? logs[$0 % 2].append(lines[$0]) }
        let written = try Self.text(path).split(separator: "\n").map { "\($0)\n" }
        #expect(written.sorted() == lines.sorted())
    }

    @Test func `while the disk answers nothing, other lines fail`() throws {
        let folder = try TemporaryFolder()
        let log = LineLog(folder.path("audit"))
        try WorkerThread.start {
            _ = log.inTurn { _ throws(SystemError) in Host.sleep(milliseconds: 2500) }
        }
        Host.sleep(milliseconds: 200)
        let error = SystemError("write", folder.path("audit"), number: ETIMEDOUT)
        #expect(throws: error) { try log.append("a\n") }
        let before = Host.uptimeNanoseconds
        #expect(throws: error) { try log.append("b\n") }
        #expect(Host.uptimeNanoseconds - before < 500_000_000)
        Host.sleep(milliseconds: 3000)
        try log.append("c\n")
        #expect(try Self.text(folder.path("audit")) == "c\n")
    }
}
