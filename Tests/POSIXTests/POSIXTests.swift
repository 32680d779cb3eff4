import Fixtures
import Foundation
import Synchronization
import Testing

@testable import POSIX

@Suite struct FileTests {
    @Test func `files are written, read, linked and removed`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a"
            try File.write([1, 2, 3], to: path)
            #expect(try File.read(path) == [1, 2, 3])
            try File.link(path, as: folder + "/b")
            let status = try FileStatus(of: folder + "/b")
            #expect(status == (try FileStatus(of: path)))
            try File.remove(path)
            #expect(try File.read(folder + "/b") == [1, 2, 3])
            #expect(throws: SystemError.self) { try File.read(path) }
            #expect(throws: SystemError.self) { try File.read(folder + "/b", maximumBytes: 2) }
            #expect(throws: SystemError.self) { try File.read(folder) }
        }
    }

    @Test func `the time of the change of a status tells what the time of modification hides`()
        throws
    {
        try withTemporaryFolder { folder in
            let path = folder + "/a"
            try File.write([1, 2, 3], to: path)
            try File.setModified(path, seconds: 1_000_000)
            let before = try FileStatus(of: path)
            #expect(before.changedSeconds > 1_000_000)
            while try FileStatus(of: path) == before {
                try File.write([1, 2, 4], to: path)
                try File.setModified(path, seconds: 1_000_000)
            }
            let after = try FileStatus(of: path)
            #expect(after.modifiedSeconds == before.modifiedSeconds)
            #expect(
                (after.changedSeconds, after.changedNanoseconds)
                    > (before.changedSeconds, before.changedNanoseconds)
            )
        }
    }

    @Test func `a folder is listed in the order of bytes, links not followed`() throws {
        try withTemporaryFolder { folder in
            for name in ["b", "a", "Z", "ä"] { try File.write([], to: "\(folder)/\(name)") }
            try Folder.create(folder + "/c/d")
            try SymbolicLink.replace(folder + "/link", with: "c")
            let entries = try Folder.entries(of: folder)
            #expect(entries.map(\.name) == ["Z", "a", "b", "c", "link", "ä"])
            #expect(entries.first { $0.name == "link" }?.kind == .symbolicLink)
            try Folder.remove(folder + "/c")
            #expect(throws: SystemError.self) { try FileStatus(of: folder + "/link") }
        }
    }

    @Test func `files of a time before are removed, one after the other, and the rest is counted`()
        throws
    {
        try withTemporaryFolder { folder in
            for number in 0..<3000 {
                let file = "\(folder)/\(number)"
                try File.write([], to: file)
                try File.setModified(file, seconds: 1_000_000 + number)
            }
            try Folder.create(folder + "/sub")
            try SymbolicLink.replace(folder + "/link", with: "sub")
            #expect(try Folder.removeFiles(in: folder, changedBefore: 1_002_000) == 1002)
            #expect(try Folder.entries(of: folder).contains { $0.name == "2000" })
            #expect(try Folder.removeFiles(in: folder, changedBefore: .max) == 2)
            #expect(throws: SystemError.self) {
                try Folder.removeFiles(in: folder + "/none", changedBefore: 0)
            }
        }
    }

    @Test func `a link is exchanged, never missing`() throws {
        try withTemporaryFolder { folder in
            let link = folder + "/current"
            try SymbolicLink.replace(link, with: "0")
            let isDone = Mutex(false)
            let isMissing = Mutex(false)
            try WorkerThread.start {
                while !isDone.withLock({ $0 }) {
                    if SymbolicLink.destination(of: link) == nil {
                        isMissing.withLock { $0 = true }
                    }
                }
            }
            for number in 1...500 { try SymbolicLink.replace(link, with: "\(number)") }
            isDone.withLock { $0 = true }
            #expect(SymbolicLink.destination(of: link) == "500")
            #expect(!isMissing.withLock { $0 })
        }
    }

    @Test func `one lock has one holder`() throws {
        try withTemporaryFolder { folder in
            let first = try FileLock.take(folder + "/lock")
            let isTaken = try FileLock.take(folder + "/lock") == nil
            #expect(isTaken)
            _ = consume first
            let isFree = try FileLock.take(folder + "/lock") != nil
            #expect(isFree)
        }
    }
}
