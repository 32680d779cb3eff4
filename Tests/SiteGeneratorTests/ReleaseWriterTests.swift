import Deflate
import Fixtures
import POSIX
import Testing

@testable import SiteGenerator

/// Releases that are written file by file, and what the next one takes from the one before.
@Suite struct ReleaseWriterTests {
    private static func page(_ number: Int, _ text: String? = nil) -> OutputFile {
        let text = text ?? "page \(number) " + String(repeating: "and more ", count: 120)
        var file = OutputFile(
            path: "site/s\(number % 3)/p\(number)/index.html",
            content: .bytes(Array(text.utf8))
        )
        file.isCompressed = number % 2 == 0
        return file
    }

    /// Publishes a release.
    private static func release(
        _ output: String,
        keeping count: Int = 3,
        _ write: (ReleaseWriter) async throws -> Void
    ) async throws {
        let writer = try ReleaseWriter(output: output, syncs: false)
        do {
            try await write(writer)
            #expect(try writer.finish(keeping: count).isEmpty)
        } catch {
            await writer.discard()
            throw error
        }
        #expect(await writer.cleanUp().isEmpty)
    }

    /// A release of 40 pages and one file of the theme, written by many tasks.
    private static func first(_ output: String) async throws -> [ReleasedFile] {
        let theme = OutputFile(path: "theme/a.css", content: .bytes([1]))
        let files = (0..<40).map { page($0) } + [theme]
        var written: [ReleasedFile] = []
        try await release(output) { writer in
            let results = await files.concurrentMap { file in Result { try writer.write(file) } }
            written = try results.map { try $0.get() }.map {
                #expect(!$0.isLinked)
                return $0.file
            }
        }
        return written
    }

    private static func identity(_ path: String) throws -> FileIdentity {
        try FileStatus(of: path).identity
    }

    @Test func `all files but the changed ones are linked, with their compressed copies`()
        async throws
    {
        let folder = try TemporaryFolder()
        let files = try await Self.first(folder.path)
        #expect(files.count { $0.compressed != nil } == 20)
        let changed = Self.page(7, "changed")
        try await Self.release(folder.path) { writer in
            try await writer.linkAll(files, except: [changed.path])
            #expect(try !writer.write(changed).isLinked)
        }
        let release = "\(folder.path)/releases/2"
        for file in files where file.path != changed.path {
            #expect(try Self.identity("\(release)/\(file.path)") == file.identity)
            let compressed = try? Self.identity("\(release)/\(file.path).gz")
            #expect(compressed == file.compressed)
        }
        #expect(try File.read("\(release)/\(changed.path)") == Array("changed".utf8))
        #expect(try File.read("\(folder.path)/releases/1/\(changed.path)").count > 100)
        #expect(try File.read("\(folder.path)/theme/a.css") == [1])
    }

    @Test(arguments: ["written", "removed", "compressed", "folder"])
    func `a file that is not the one that was written is not linked`(_ change: String) async throws
    {
        let folder = try TemporaryFolder()
        let files = try await Self.first(folder.path)
        let file = try #require(files.first { $0.path.contains("/p8/") })
        let path = "\(folder.path)/releases/1/\(file.path)"
        switch change {
        case "written": try File.write([1], to: path)
        case "compressed": try File.write([1], to: "\(path).gz")
        case "folder":
            try File.remove(path)
            try Folder.create(path)
        default: try File.remove(path)
        }
        await #expect(throws: SystemError.self) {
            try await Self.release(folder.path) { try await $0.linkAll(files, except: []) }
        }
        #expect(try Folder.entries(of: "\(folder.path)/releases").map(\.name) == ["1"])
        var copy = Self.page(8)
        copy = OutputFile(path: copy.path, content: .unchanged(file), isCompressed: true)
        try await Self.release(folder.path) { writer in
            guard change == "compressed" else {
                #expect(try writer.reuse(file, isCompressed: true) == nil)
                #expect(throws: SystemError.self) { try writer.write(copy) }
                return
            }
            // The page is as it was, and its compressed copy is made again.
            let written = try writer.write(copy)
            #expect(written.isLinked && written.file.identity == file.identity)
            #expect(written.file.compressed != file.compressed)
        }
        if change == "compressed" {
            let release = "\(folder.path)/releases/2/\(file.path)"
            #expect(try Gzip.compress(File.read(release)) == File.read("\(release).gz"))
        }
    }

    @Test func `a file is linked with or without its compressed copy, as the release wants it`()
        async throws
    {
        let folder = try TemporaryFolder()
        let files = try await Self.first(folder.path)
        let (plain, compressed) = (files[1], files[2])
        try await Self.release(folder.path) { writer in
            let first = try #require(try writer.reuse(plain, isCompressed: true))
            #expect(first.isLinked && first.file.compressed != nil)
            let second = try #require(try writer.reuse(compressed, isCompressed: false))
            #expect(second.isLinked && second.file.compressed == nil)
        }
        let release = "\(folder.path)/releases/2"
        #expect(
            try Gzip.compress(File.read("\(release)/\(plain.path)"))
                == File.read("\(release)/\(plain.path).gz")
        )
        #expect(throws: SystemError.self) { try FileStatus(of: "\(release)/\(compressed.path).gz") }
    }

    @Test(arguments: ["page", "compressed", "theme", "shared theme"])
    func `a release of which a file was removed or changed is not whole`(_ change: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let files = try await Self.first(folder.path)
        #expect(await ReleaseWriter.isWhole(1, files, folder.path))
        #expect(await !ReleaseWriter.isWhole(2, files, folder.path))
        let page = "\(folder.path)/releases/1/\(files[2].path)"
        switch change {
        case "page": try File.write(File.read(page), to: page)
        case "compressed": try File.remove("\(page).gz")
        case "theme": try File.remove("\(folder.path)/releases/1/theme/a.css")
        default: try File.remove("\(folder.path)/theme/a.css")
        }
        #expect(await !ReleaseWriter.isWhole(1, files, folder.path))
    }

    @Test func `a path has one file`() async throws {
        let folder = try TemporaryFolder()
        let files = try await Self.first(folder.path)
        try await Self.release(folder.path) { writer in
            _ = try writer.reuse(files[3], isCompressed: false)
            // It would change the file of the release before.
            #expect(throws: SystemError.self) { try writer.write(Self.page(3, "other")) }
        }
        let old = "\(folder.path)/releases/1/\(files[3].path)"
        #expect(try Self.identity(old) == files[3].identity)
    }

    @Test func `old releases are out of the way before they are removed, by whichever build`()
        async throws
    {
        let folder = try TemporaryFolder()
        var writers: [ReleaseWriter] = []
        for _ in 1...4 {
            let writer = try ReleaseWriter(output: folder.path, syncs: false)
            for number in 0..<300 { _ = try writer.write(Self.page(number)) }
            #expect(try writer.finish(keeping: 1).isEmpty)
            writers.append(writer)
        }
        let entries = { try Folder.entries(of: "\(folder.path)/releases").map(\.name) }
        #expect(try entries() == [".removed-1", ".removed-2", "3", "4"])
        let tasks = await writers.concurrentMap { writer in
            Task { await writer.cleanUp() }
        }
        for task in tasks {
            let messages = await task.value
            #expect(messages.isEmpty, "\(messages)")
        }
        #expect(try entries() == ["3", "4"])
    }
}
