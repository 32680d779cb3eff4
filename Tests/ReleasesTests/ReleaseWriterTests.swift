import Deflate
import Fixtures
import POSIX
import Testing

@testable import Releases

/// Releases that are written file by file, and what the next one takes from the one before.
@Suite struct ReleaseWriterTests {
    private static func path(_ number: Int) -> String {
        "site/s\(number % 3)/p\(number)/index.html"
    }

    private static func text(_ number: Int) -> [UInt8] {
        Array("page \(number) \(String(repeating: "and more ", count: 120))".utf8)
    }

    /// 40 pages and one file of the theme.
    private static let files = Dictionary(
        uniqueKeysWithValues: (0..<40).map { (path($0), text($0)) } + [("theme/a.css", [1])]
    )

    /// Every other page has a compressed copy.
    private static let compressed = Set(stride(from: 0, to: 40, by: 2).map(path))

    /// Writes a release by many tasks, and publishes it if it is not the current one.
    @discardableResult
    private static func release(
        _ folder: TemporaryFolder,
        _ changes: [String: [UInt8]] = [:],
        compressed: Set<String> = compressed
    ) async throws -> ReleaseWriter {
        let writer = try ReleaseWriter(output: folder.path, syncs: false)
        let files = Array(files.merging(changes) { $1 })
        let results = await files.concurrentMap { path, bytes in
            Result {
                try writer.write(bytes, to: path, isCompressed: compressed.contains(path))
            }
        }
        for result in results { try result.get() }
        if writer.unchanged == nil {
            #expect(try writer.finish(keeping: 3).isEmpty)
        } else {
            #expect(try await writer.keepCurrent().isEmpty)
        }
        #expect(await writer.cleanUp().isEmpty)
        return writer
    }

    /// The file of a release that a link or a file is; `nil` if there is none.
    private static func status(_ folder: TemporaryFolder, _ release: Int, _ path: String)
        -> FileStatus?
    {
        try? FileStatus(of: folder.path("releases/\(release)/\(path)"), followingLinks: false)
    }

    private static func bytes(_ folder: TemporaryFolder, _ release: Int, _ path: String)
        -> [UInt8]?
    {
        try? File.read(folder.path("releases/\(release)/\(path)"))
    }

    /// The names of everything in a folder below the output folder.
    private static func entries(_ folder: TemporaryFolder, _ path: String) throws -> [String] {
        try Folder.entries(of: folder.path(path)).map(\.name).sorted()
    }

    @Test func `all files but the changed ones are linked, with their compressed copies`()
        async throws
    {
        let folder = try TemporaryFolder()
        #expect(try await Self.release(folder).counts == (61, 0))
        let path = Self.path(7)
        #expect(try await Self.release(folder, [path: Array("changed".utf8)]).counts == (1, 60))
        for other in Self.files.keys where other != path {
            for ending in ["", ".gz"] {
                let old = Self.status(folder, 1, other + ending)
                #expect(Self.status(folder, 2, other + ending)?.inode == old?.inode)
                let isThere = ending.isEmpty || Self.compressed.contains(other)
                #expect((old != nil) == isThere)
            }
        }
        #expect(Self.bytes(folder, 2, path) == Array("changed".utf8))
        #expect(Self.bytes(folder, 1, path)?.count ?? 0 > 100)
        #expect(try File.read(folder.path("theme/a.css")) == [1])
    }

    @Test func `a release that would have the same files keeps the current one`() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Self.release(folder).unchanged == nil)
        let all = try Self.entries(folder, "")
        for _ in 1...2 { #expect(try await Self.release(folder).unchanged == 1) }
        #expect(try Self.entries(folder, "releases") == ["1"])
        #expect(try Self.entries(folder, "") == all)
    }

    @Test(arguments: [
        "text", "size", "emptied", "removed", "added", "folder", "link", "copy", "copy removed",
        "copy added", "copy linked",
    ])
    func `a release that somebody changed by hand is made again`(_ change: String) async throws {
        let folder = try TemporaryFolder()
        try await Self.release(folder)
        let path = Self.path(8)
        let file = folder.path("releases/1/\(path)")
        let (text, copy) = (try File.read(file), try File.read("\(file).gz"))
        switch change {
        case "text": try File.write(text.reversed(), to: file)
        case "size": try File.write(text + [1], to: file)
        case "emptied": try File.write([], to: file)
        case "removed": try File.remove(file)
        case "added": try folder.write("new", "releases/1/site/new.html")
        case "folder":
            try File.remove(file)
            try Folder.create(file)
        case "link":
            try folder.write(text, "other")
            try File.remove(file)
            try SymbolicLink.replace(file, with: folder.path("other"))
        case "copy": try File.write(Gzip.compress(text.reversed()), to: "\(file).gz")
        case "copy removed": try File.remove("\(file).gz")
        case "copy added":
            try File.write(copy, to: folder.path("releases/1/\(Self.path(7)).gz"))
        default:
            try folder.write(copy, "other")
            try File.remove("\(file).gz")
            try SymbolicLink.replace("\(file).gz", with: folder.path("other"))
        }
        #expect(try await Self.release(folder).unchanged == nil)
        #expect(Self.bytes(folder, 2, path) == text)
        #expect(Self.bytes(folder, 2, "\(path).gz") == copy)
        #expect(Self.status(folder, 2, path)?.kind == .file)
        #expect(Self.status(folder, 2, "\(path).gz")?.kind == .file)
        #expect(Self.status(folder, 2, "\(Self.path(7)).gz") == nil)
        #expect(Self.status(folder, 2, "site/new.html") == nil)
        #expect(try await Self.release(folder).unchanged == 2)
        #expect(try Self.entries(folder, "releases") == ["1", "2"])
    }

    @Test func `a file of the theme that is missing for all is there again`() async throws {
        let folder = try TemporaryFolder()
        try await Self.release(folder)
        try File.remove(folder.path("theme/a.css"))
        #expect(try await Self.release(folder).unchanged == 1)
        #expect(try File.read(folder.path("theme/a.css")) == [1])
    }

    @Test func `a file is linked with or without its compressed copy, as the release wants it`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await Self.release(folder)
        let (plain, compressed) = (Self.path(1), Self.path(2))
        let writer = try await Self.release(
            folder,
            compressed: Self.compressed.subtracting([compressed]).union([plain])
        )
        #expect(writer.unchanged == nil && writer.counts == (1, 60))
        for path in [plain, compressed] {
            #expect(Self.status(folder, 2, path)?.inode == Self.status(folder, 1, path)?.inode)
        }
        let text = try #require(Self.bytes(folder, 2, plain))
        #expect(Self.bytes(folder, 2, "\(plain).gz") == Gzip.compress(text))
        #expect(Self.status(folder, 2, "\(compressed).gz") == nil)
        #expect(Self.status(folder, 1, "\(compressed).gz") != nil)
    }

    /// nginx makes the ETag of a file from its size and the second of its last change.
    @Test func `a file that changes several times in a second is of another second each time`()
        async throws
    {
        let folder = try TemporaryFolder()
        let long = Self.text(4)
        var seconds: [Int] = []
        for number in 1...3 {
            try await Self.release(folder, [Self.path(4): long + [UInt8(number)]])
            let file = try #require(Self.status(folder, number, Self.path(4)))
            let copy = try #require(Self.status(folder, number, "\(Self.path(4)).gz"))
            #expect(copy.modifiedSeconds == file.modifiedSeconds)
            seconds.append(file.modifiedSeconds)
        }
        #expect(seconds[0] < seconds[1] && seconds[1] < seconds[2])
        let same = (1...3).map { Self.status(folder, $0, Self.path(5))?.modifiedSeconds }
        #expect(Set(same).count == 1)
    }

    @Test func `a path has one file`() async throws {
        let folder = try TemporaryFolder()
        try await Self.release(folder)
        let old = try #require(Self.status(folder, 1, Self.path(3)))
        let writer = try ReleaseWriter(output: folder.path, syncs: false)
        try writer.write(Self.text(3), to: Self.path(3))
        // It would change the file of the release before.
        #expect(throws: SystemError.self) { try writer.write([1], to: Self.path(3)) }
        await writer.discard()
        let now = try #require(Self.status(folder, 1, Self.path(3)))
        #expect(now.inode == old.inode && now.size == old.size)
        #expect(try Self.entries(folder, "releases") == ["1"])
    }

    @Test func `old releases are out of the way before they are removed, by whichever build`()
        async throws
    {
        let folder = try TemporaryFolder()
        var writers: [ReleaseWriter] = []
        for _ in 1...4 {
            let writer = try ReleaseWriter(output: folder.path, syncs: false)
            for number in 0..<300 { try writer.write(Self.text(number), to: Self.path(number)) }
            #expect(try writer.finish(keeping: 1).isEmpty)
            writers.append(writer)
        }
        #expect(try Self.entries(folder, "releases") == [".removed-1", ".removed-2", "3", "4"])
        let tasks = await writers.concurrentMap { writer in
            Task { await writer.cleanUp() }
        }
        for task in tasks {
            let messages = await task.value
            #expect(messages.isEmpty, "\(messages)")
        }
        #expect(try Self.entries(folder, "releases") == ["3", "4"])
    }
}
