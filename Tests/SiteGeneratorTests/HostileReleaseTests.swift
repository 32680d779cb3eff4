import Fixtures
import Glibc
import POSIX
import Testing

@testable import Rendering
@testable import Site
@testable import SiteGenerator
@testable import SourceFolder

/// Folders of somebody who has the key for publishing: nothing is published, nothing is written
/// outside, and the message says why.
@Suite struct HostileReleaseTests {
    /// Expects that a folder is refused, and that nothing on the server has changed.
    private func expect(
        _ files: [String: String],
        isRefused why: String,
        changed change: (IncomingSite) throws -> Void = { _ in },
        _ location: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        let site = try IncomingSite()
        try await site.publish(at: -10)
        let before = try site.onServer()
        try site.receive(files.mapValues { Array($0.utf8) })
        try change(site)
        let refusal = try await site.refusal()
        #expect(refusal?.hasPrefix("nothing is published: ") == true, sourceLocation: location)
        #expect(refusal?.contains(why) == true, "\(refusal ?? "")", sourceLocation: location)
        #expect(try site.onServer() == before, sourceLocation: location)
    }

    /// A release with some files changed or added.
    private func release(_ changes: [String: String]) -> [String: String] {
        IncomingSite.required.merging(changes) { $1 }
    }

    @Test(arguments: [
        "evil", "current", ".lock", "pack", "releases/2/access", "site/\u{1}", "site/a\nb",
        "site/a\\b", "site/a%2fb", "site/\u{7f}", "auth/other.html", "errors/500.html",
        "site/auth/x", "site/_theme/x.js", "site/_errors/404.html", "SITE/index.html", ".htaccess",
        "site/_reader", "site/\u{301}a", "site/auth/\u{903}x", "site/a\u{600}/b",
        "site/" + String(repeating: "n/", count: 32) + "n",
    ]) func `a file outside the places of a release`(_ path: String) async throws {
        try await expect(
            release([path: "evil"]),
            isRefused: "nothing is published: '\(SitePathName.encode(path))': "
        )
    }

    @Test(arguments: [
        "../evil", "/etc/passwd", "site/../../evil", "site/./a", "site//a", "site", "theme",
        "theme/../../x", "access/x", "site/a\u{0}b", "",
        "site/" + String(repeating: "n", count: 256),
    ]) func `a path that no file of a folder has`(_ path: String) {
        #expect(IncomingRelease.mistake(path) != nil)
    }

    @Test(arguments: [
        ["site/a", "site/A"], ["site/A", "site/a/b"], ["site/é.txt", "site/É.txt"],
        ["site/a.txt", "site/a.TXT"],
    ]) func `two files with one name`(_ paths: [String]) async throws {
        let files = Dictionary(uniqueKeysWithValues: paths.map { ($0, "evil") })
        try await expect(release(files), isRefused: "there are two files for 'site/")
    }

    @Test func `links, pipes and sockets, and files that cannot be read`() async throws {
        let files = release([:])
        try await expect(files, isRefused: "'site/x' is neither a file nor a folder") { site in
            try Folder.create("\(site.incoming)/site")
            try SymbolicLink.replace("\(site.incoming)/site/x", with: "../access")
        }
        try await expect(files, isRefused: "'site' is neither a file nor a folder") { site in
            try SymbolicLink.replace("\(site.incoming)/site", with: site.server)
        }
        try await expect(files, isRefused: "'access' is neither a file nor a folder") { site in
            try File.remove("\(site.incoming)/access")
            try SymbolicLink.replace("\(site.incoming)/access", with: "/etc/passwd")
        }
        try await expect(files, isRefused: "'pipe' is neither a file nor a folder") { site in
            #expect(unsafe mkfifo("\(site.incoming)/pipe", 0o600) == 0)
        }
        let deep = String(repeating: "/d", count: 60)
        try await expect(files, isRefused: "is nested too deep") { site in
            try Folder.create("\(site.incoming)\(deep)")
        }
        try await expect(files, isRefused: "incoming': no such file or directory") { site in
            try Folder.remove(site.incoming)
        }
        try await expect(files, isRefused: "incoming': not a directory") { site in
            try Folder.remove(site.incoming)
            try File.write([], to: site.incoming)
        }
    }

    @Test(arguments: ["site/index.html", "site/a.bin", "errors/403.html"])
    func `a compressed file of another text beside a file`(_ path: String) async throws {
        try await expect(
            release([path: "text", "\(path).gz": "forged"]),
            isRefused: "\(path).gz'"
        )
    }

    @Test(arguments: IncomingSite.required.keys.sorted())
    func `a release without its policy or its pages of errors`(_ path: String) async throws {
        let files = IncomingSite.required.filter { $0.key != path }
        try await expect(files, isRefused: "incoming' has no '\(path)'; a release is what")
        try await expect(files, isRefused: " has no '\(path)'") { site in
            try Folder.create("\(site.incoming)/\(path)")
        }
    }

    @Test(arguments: [
        "", "site-access 1\n", "site-access 1\nallow signed-in /\nend 2\n",
        "site-access 2\nallow public /\nend 1\n", "site-access 1\nallow public /\nend 1",
        "site-access 1\nallow [hr] /\nend 1\n", "site-access 1\nallow everybody /\nend 1\n",
        "site-access 1\nallow public /../\nend 1\n", "<html>",
    ]) func `a policy that siteauth would not read`(_ text: String) async throws {
        let isNewer = text.hasPrefix("site-access 2")
        let reason = isNewer ? "1: 'site-access 2' was made by a newer sitegen" : ""
        try await expect(release(["access": text]), isRefused: "'access': line \(reason)")
    }

    @Test(arguments: [
        "include /etc/passwd;\n", "default \"/x/\";\n", "\"/a/\" \"https://evil.example/\";\n",
        "\"/a/\" \"//evil.example/\";\n", "\"/a/\" \"$cookie_session\";\n", "\"/a/\" \"/b/\"\n",
        "\"/a/\" \"/b/\"; include /etc/passwd;\n", "\"/a/\" \"/b/\";", "\n", "~.* \"/b/\";\n",
        "\"~.*\" \"/b/\";\n", "\"/a/\" \"/b/%0d%0aSet-Cookie:x\";\n", "\"/a\\/\" \"/b/\";\n",
        "\"/a/\" \"/auth/sign-out\";\n", "\"/a/\"; x \" \" \"/b/\";\n", "volatile;\n",
        // An address twice: nginx would not start.
        "\"/a/\" \"/b/\";\n\"/A/\" \"/c/\";\n", "\"/a/\" \"/b/\";\n\"/a/\" \"/b/\";\n",
        // Longer than nginx's table takes.
        "\"/\(String(repeating: "a/", count: 500))\" \"/b/\";\n",
        // In Swift, these quotation marks are a part of the character before or after them.
        "\"/a\u{600}\"; include /x; \"\u{301} \" \"/b/\";\n",
        "\"/a\"\u{301}b/\" \"/b/\";\n",
    ]) func `redirects that nginx would read as something else`(_ text: String) async throws {
        try await expect(
            release(["redirects.map": text]),
            isRefused: "'redirects.map': it has a line"
        )
    }

    @Test func `redirects of a site are taken`() async throws {
        let segment = String(repeating: "é", count: 120)
        let text = [
            ("/old/", "/new page/"), ("/a\" \"b", "/"), ("/é.html", "/x/y.html"),
            ("/a\"\u{301}b", "/"), ("/a\u{600}\"", "/"),
            ("/" + [String](repeating: segment, count: 4).joined(separator: "/"), "/"),
        ]
        .map(RedirectLine.text).joined()
        let site = try IncomingSite()
        try await site.publish(["redirects.map": text])
    }

    @Test func `files that siteauth would not read, or too large ones`() async throws {
        for path in ["auth/page.html", "access"] {
            try await expect(release([:]), isRefused: "'\(path)': it is not text in UTF-8") {
                let file = "\($0.incoming)/\(path)"
                try File.write(File.read(file) + [0xFF, 0x0A], to: file)
            }
        }
        // Files with holes, which take no room.
        for (path, size, why) in [
            ("access", (64 << 20) + 1, "'access' has 67108865 bytes; it may have 64 MiB"),
            ("site/a", (1 << 30) + 1, "'site/a' has 1073741825 bytes; a file may have 1 GiB"),
        ] {
            try await expect(release(["site/a": ""]), isRefused: why) { site in
                try ScratchFile(opening: "\(site.incoming)/\(path)").truncate(to: size)
            }
        }
        let parts = Dictionary(uniqueKeysWithValues: (1...9).map { ("site/\($0)", "") })
        try await expect(release(parts), isRefused: "the files have more than 8 GiB") { site in
            for path in parts.keys {
                try ScratchFile(opening: "\(site.incoming)/\(path)").truncate(to: 1 << 30)
            }
        }
    }

    @Test func `a theme file with the name of another one`() async throws {
        for path in [IncomingSite.theme("body { }"), "theme/site.css", "theme/x"] {
            try await expect(
                release([path: "evil"]),
                isRefused: "the name of a theme file contains the digest"
            )
        }
    }
}
