import CPOSIX
import Fixtures
import Glibc
import Testing

@testable import POSIX

@Suite struct OpenFolderTests {
    /// A folder `site` with a page in `site/a/b`, and a secret beside it.
    private func withSite(_ body: (_ above: String, _ site: OpenFolder) throws -> Void) throws {
        try withTemporaryFolder { above in
            try Folder.create("\(above)/site/a/b")
            try Folder.create("\(above)/secret/b")
            try File.write([1], to: "\(above)/site/a/b/page")
            try File.write([9], to: "\(above)/secret/b/page")
            try File.write([9], to: "\(above)/secret/page")
            try body(above, try OpenFolder("\(above)/site"))
        }
    }

    @Test func `files are read and listed below the folder`() throws {
        try withSite { above, site in
            let page = try site.read("a/b/page")
            #expect(page == [1])
            #expect(try site.readStart("a/b/page", bytes: 10) == [1])
            #expect(try site.entries().map(\.name) == ["a"])
            let status = try FileStatus(of: "\(above)/site/a/b/page")
            #expect(try site.entries(of: "a/b") == [.init(name: "page", status: status)])
            #expect(throws: SystemError.self) { try site.read("a/b") }
            #expect(throws: SystemError.self) { try site.read("a/b/page", maximumBytes: 0) }
            for path in [
                "", "/", "..", "../secret/page", "a/../a/b/page", "./a/b/page", "a//b/page",
            ] {
                #expect(throws: SystemError.self, "\(path)") { try site.read(path) }
            }
        }
    }

    @Test(arguments: [("a/b/page", "secret/page"), ("a/b", "secret/b"), ("a", "secret")])
    func `a link in the place of a file or folder is not followed`(
        _ exchanged: String,
        _ target: String
    ) throws {
        try withSite { above, site in
            #expect(try site.read("a/b/page") == [1])
            try File.rename("\(above)/site/\(exchanged)", to: "\(above)/old")
            try SymbolicLink.replace("\(above)/site/\(exchanged)", with: "\(above)/\(target)")
            // By its path it is the secret.
            #expect(try File.read("\(above)/site/a/b/page") == [9])
            #expect(throws: SystemError.self) { try site.read("a/b/page") }
            #expect(throws: SystemError.self) { try site.readStart("a/b/page", bytes: 10) }
            if exchanged != "a/b/page" {
                #expect(throws: SystemError.self) { try site.entries(of: "a/b") }
            }
        }
    }

    @Test func `a file is touched and marked as changed now, and told apart from a new one`() throws
    {
        try withSite { above, site in
            #expect(try site.touchDurably("new", in: "a"))
            try File.setModified("\(above)/site/a/new", seconds: 1_000_000)
            #expect(try !site.touchDurably("new", in: "a"))
            #expect(try FileStatus(of: "\(above)/site/a/new").modifiedSeconds > 1_000_000)
            #expect(try site.names(of: "a").sorted() == ["b", "new"])
        }
    }

    @Test(arguments: ["secret/page", "secret/none", "secret", "pipe"])
    func `what is touched is a file of the folder, and no link's target`(_ target: String) throws {
        try withSite { above, site in
            #expect(mkfifo("\(above)/pipe", 0o600) == 0)
            try File.setModified("\(above)/secret/page", seconds: 1_000_000)
            try SymbolicLink.replace("\(above)/site/a/link", with: "\(above)/\(target)")
            #expect(throws: SystemError.self) { try site.touchDurably("link", in: "a") }
            if target == "pipe" {
                try File.rename("\(above)/pipe", to: "\(above)/site/a/pipe")
                #expect(throws: SystemError.self) { try site.touchDurably("pipe", in: "a") }
            }
            // A linked folder.
            try SymbolicLink.replace("\(above)/site/linked", with: "\(above)/secret")
            #expect(throws: SystemError.self) { try site.touchDurably("page", in: "linked") }
            #expect(throws: SystemError.self) { try site.touchDurably("new", in: "linked") }
            #expect(throws: SystemError.self) { try site.names(of: "linked") }
            #expect(try Folder.names(in: "\(above)/secret").sorted() == ["b", "page"])
            let page = try FileStatus(of: "\(above)/secret/page")
            #expect(page.modifiedSeconds == 1_000_000)
        }
    }

    @Test func `a link is not followed before a name that begins with a combining mark`() throws {
        try withSite { above, site in
            try File.write([9], to: "\(above)/secret/\u{301}page")
            try SymbolicLink.replace("\(above)/site/link", with: "\(above)/secret")
            #expect(try File.read("\(above)/site/link/\u{301}page") == [9])
            #expect(throws: SystemError.self) { try site.read("link/\u{301}page") }
        }
    }

    @Test func `the folder stays the same when its path leads elsewhere`() throws {
        try withSite { above, site in
            try File.rename("\(above)/site", to: "\(above)/old")
            try SymbolicLink.replace("\(above)/site", with: "secret")
            #expect(try site.read("a/b/page") == [1])
        }
    }

    @Test(arguments: [0, 1])
    func `a folder that cannot be read to its end is an error`(after count: Int) throws {
        try withTemporaryFolder { folder in
            for name in ["a", "b", "c"] { try File.write([], to: "\(folder)/\(name)") }
            var calls = 0
            let error = #expect(throws: SystemError.self) {
                let open = try FileDescriptor(opening: folder, flags: O_RDONLY | O_DIRECTORY)
                _ = try Folder.entries(of: open, folder) { descriptor, buffer, room in
                    calls += 1
                    if calls <= count { return getdents64(descriptor, buffer, room) }
                    errno = EIO
                    return -1
                }
            }
            #expect(error == SystemError("getdents64", folder, number: EIO))
        }
    }
}
