import Diagnostics
import Fixtures
import Foundation
import Testing

@testable import Import

/// Whole imports: what is refused, and what a second one keeps.
@Suite struct SiteImportTests {
    private static func entities(_ restricted: String = "", body: String = "text") -> String {
        """
        <hibernate-generic><object class="Page"><id name="id">1</id>
        <property name="title"><![CDATA[A]]></property></object>
        <object class="Page"><id name="id">2</id><property name="title"><![CDATA[B]]></property>
        <property name="parent"><id name="id">1</id></property></object>
        <object class="BodyContent"><id name="id">3</id><property name="body"><![CDATA[<p>\(body)</p>]]>
        </property><property name="content"><id name="id">2</id></property></object>
        \(restricted)</hibernate-generic>
        """
    }

    private static let restriction = """
        <object class="ContentPermissionSet"><id name="id">4</id><property name="type">View</property>
        <property name="owningContent"><id name="id">2</id></property></object>
        """

    private static func refusal(_ source: String, _ destination: String) -> String? {
        do {
            _ = try SiteImport(source, into: destination)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: ["View", "Share", ""])
    func `a restriction without readers in the export, or of another kind, closes the page`(
        kind: String
    ) throws {
        let restriction = Self.restriction.replacing("View", with: kind)
        let source = try TemporaryFolder(["entities.xml": Self.entities(restriction)])
        try withTemporaryFolder { work in
            _ = try SiteImport(source.path, into: "\(work)/new")
            let page = try String(contentsOfFile: "\(work)/new/site/a/b/index.md", encoding: .utf8)
            #expect(page.contains("\naccess: [restricted-"))
        }
    }

    /// Pages as `id title state above groups`, `-` for what is not there.
    private static func space(_ pages: [String], body: String = "", rows: String = "") -> String {
        func reference(_ name: String, _ id: String) -> String {
            id == "-" ? "" : "<property name=\"\(name)\"><id>\(id)</id></property>"
        }
        let objects = pages.map { page in
            let words = page.split(separator: " ").map(String.init)
            let kind = words[2].hasPrefix("v") ? String(words[2].dropFirst()) : "-"
            let restriction = """
                <object class="ContentPermissionSet"><id>s\(words[0])</id><property name="type">View
                </property>\(reference("owningContent", words[0]))</object>
                <object class="ContentPermission"><id>p\(words[0])</id>\(reference("owningSet", "s" + words[0]))
                <property name="groupName">\(words[4])</property></object>
                """
            return """
                <object class="Page"><id>\(words[0])</id><property name="title">\(words[1])</property>
                <property name="contentStatus">\(kind == "-" ? words[2] : "current")</property>
                \(reference("parent", words[3]))\(reference("originalVersion", kind))</object>
                <object class="BodyContent"><id>b\(words[0])</id><property name="body"><![CDATA[\(body)]]>
                </property>\(reference("content", words[0]))</object>\(words[4] == "-" ? "" : restriction)
                """
        }
        return "<x>\(objects.joined())\(rows)</x>"
    }

    @Test(arguments: [
        (["1 G archived - hr", "2 P archived 1 -", "3 C current 2 -"], "hr: group 'hr'"),
        (["1 G current - hr", "2 P deleted 1 -", "3 C current 2 -"], "hr: group 'hr'"),
        (["1 G archived 2 hr", "2 P archived 1 -", "3 C current 2 -"], "hr: group 'hr'"),
        (["1 G current - hr", "2 G v1 - -", "3 C current 2 -"], "hr: group 'hr'"),
        (
            ["1 G archived - hr", "3 C current 1 staff"],
            ": group 'hr'; and of these: group 'staff'"
        ),
        (["3 C current 9 staff"], ": nobody; and of these: group 'staff'"),
    ])
    func `pages above restrict a page, whether they are current or not`(
        pages: [String],
        readers: String
    ) throws {
        let source = try TemporaryFolder(["entities.xml": Self.space(pages)])
        let site = try TemporaryFolder()
        let report = try SiteImport(source.path, into: site.path).report
        #expect(report.contains("\(readers)\n"), "\(report)")
        let page = try String(contentsOfFile: site.path("site/c/index.md"), encoding: .utf8)
        #expect(page.contains("\naccess: ["))
    }

    @Test(arguments: [
        ("", "\"signed-in\"", "the site is for all who sign in"),
        (
            "k group staff|other allUsersSubject anonymous-users", "[\"space-readers\"]",
            "group 'staff'"
        ),
        ("k group staff|k allUsersSubject anonymous-users", "\"signed-in\"", ""),
        ("other group staff", "[\"space-readers\"]", "space-readers: nobody"),
    ])
    func `the readers of the space are those of its own rows`(
        permissions: String,
        access: String,
        report: String
    ) throws {
        let rows = permissions.split(separator: "|").map { row in
            let words = row.split(separator: " ")
            return """
                <object class="SpacePermission"><id>\(words[0])\(words[1])</id>
                <property name="type">VIEWSPACE</property><property name="space"><id>\(words[0])</id>
                </property><property name="\(words[1])">\(words[2])</property></object>
                """
        }
        let space = "<object class='Space'><id>k</id></object>" + rows.joined()
        let source = try TemporaryFolder([
            "entities.xml": Self.space(["1 A current - -"], rows: space)
        ])
        let site = try TemporaryFolder()
        let made = try SiteImport(source.path, into: site.path).report
        let settings = try String(contentsOfFile: site.path("sitegen.toml"), encoding: .utf8)
        #expect(settings.contains("\naccess = \(access)\n"))
        #expect(report.isEmpty ? !made.contains("warnings") : made.contains(report), "\(made)")
    }

    @Test(arguments: [
        "<ac:link><ri:page ri:content-title='Secret'/></ac:link>",
        "<a href='https://wiki.example.com/display/K/Secret'></a>",
        "<a href='https://wiki.example.com/spaces/K/pages/2/Secret'></a>",
        "<ac:link><ri:content-entity ri:content-id='2'/></ac:link>",
    ])
    func `neither text nor address of a link tells the title of a restricted page`(
        link: String
    ) throws {
        let states = ["2 Secret current 1 hr", "2 Secret archived 1 hr", "2 Secret v9 1 hr"]
        for state in states + ["9 Above archived - hr|2 Secret archived 9 -"] {
            let pages = ["1 A current - -"] + state.split(separator: "|").map(String.init)
            let space = "<object class='Space'><id>k</id><property name='key'>K</property></object>"
            let source = try TemporaryFolder([
                "entities.xml": Self.space(pages, body: "<p>\(link)</p>", rows: space)
            ])
            let site = try TemporaryFolder()
            _ = try SiteImport(source.path, into: site.path)
            let folder = state.hasPrefix("2 Secret current") ? "a/index" : "a"
            let page = try String(contentsOfFile: site.path("site/\(folder).md"), encoding: .utf8)
            #expect(page.hasSuffix("\n\na page for some readers\n"), "\(state)\n\(page)")
        }
    }

    @Test func `a second import keeps what people changed`() throws {
        let source = try TemporaryFolder(["entities.xml": Self.entities()])
        let site = try TemporaryFolder()
        func text(_ path: String) -> String? {
            try? String(contentsOfFile: site.path(path), encoding: .utf8)
        }
        _ = try SiteImport(source.path, into: site.path)
        try site.write("mine", "site/a/b.md")
        try site.write("mine, too", "site/c.md")
        try FileManager.default.removeItem(atPath: site.path(".gitignore"))
        try source.write(Self.entities(body: "new"), "entities.xml")
        let second = try SiteImport(source.path, into: site.path)
        #expect(text("site/a/b.md") == "mine")
        #expect(text("site/c.md") == "mine, too")
        #expect(text(".gitignore") == nil)
        #expect(
            second.report.contains("  site/a/b.md\n")
                && second.report.contains("  .gitignore (removed)\n")
        )
        // A third one still knows which are its own.
        try FileManager.default.removeItem(atPath: site.path("site/a/b.md"))
        try site.write("---\ntitle: x\n---\n", "site/a/index.md")
        try source.write(Self.entities().replacing("[A]", with: "[Z]"), "entities.xml")
        let third = try SiteImport(source.path, into: site.path)
        #expect(third.report.contains("site/a/index.md (no longer in the export)"))
        #expect(text("site/z/index.md") != nil && text("site/c.md") == "mine, too")
    }

    @Test func `a page that people changed and that other readers have now stops the import`()
        throws
    {
        let source = try TemporaryFolder(["entities.xml": Self.entities(Self.restriction)])
        let site = try TemporaryFolder()
        _ = try SiteImport(source.path, into: site.path)
        try site.write("---\ntitle: x\naccess: [hr]\n---\n", "site/a/b/index.md")
        #expect(Self.refusal(source.path, site.path) == nil)
        let other = Self.restriction.replacing(">2<", with: ">1<") + Self.restriction
        try source.write(Self.entities(other), "entities.xml")
        let message = try #require(Self.refusal(source.path, site.path))
        #expect(message.contains("'site/a/b/index.md'"))
        let top = try String(contentsOfFile: site.path("site/a/index.md"), encoding: .utf8)
        #expect(!top.contains("access"), "nothing was written")
        // Somebody decides.
        let record = try String(contentsOfFile: site.path(".sitegen-import"), encoding: .utf8)
        let lines = record.split(separator: "\n").filter { !$0.hasSuffix("site/a/b/index.md") }
        try site.write(lines.joined(separator: "\n"), ".sitegen-import")
        #expect(Self.refusal(source.path, site.path) == nil)
        let kept = try String(contentsOfFile: site.path("site/a/b/index.md"), encoding: .utf8)
        #expect(kept == "---\ntitle: x\naccess: [hr]\n---\n")
    }

    @Test func `a group that somebody defined is not given to a page for other readers`() throws {
        func rights(_ page: String, _ user: String, space: String) -> String {
            Self.restriction.replacing(">2<", with: ">\(page)<") + """
                <object class="ContentPermission"><id name="id">5</id>
                <property name="userName">\(user)</property><property name="owningSet"><id>4</id>
                </property></object><object class="SpacePermission"><id name="id">6</id>
                <property name="type">VIEWSPACE</property><property name="group">\(space)</property>
                </object>
                """
        }
        let source = try TemporaryFolder([
            "entities.xml": Self.entities(rights("2", "alice", space: "all"))
        ])
        let site = try TemporaryFolder()
        func group(_ path: String) throws -> Substring {
            let page = try String(contentsOfFile: site.path(path), encoding: .utf8)
            return try #require(page.firstMatch(of: /access: \[([^\]]*)\]/)).1
        }
        _ = try SiteImport(source.path, into: site.path)
        let first = try group("site/a/b/index.md")
        let settings = "[groups]\n\(first) = { group = \"1\" }\nspace-readers = { group = \"2\" }\n"
        try site.write(settings, "sitegen.toml")
        try source.write(Self.entities(rights("1", "bob", space: "all")), "entities.xml")
        #expect(Self.refusal(source.path, site.path) == nil)
        #expect(try group("site/a/index.md") != first)
        // The definition of all readers stays, too.
        try source.write(Self.entities(rights("1", "bob", space: "some")), "entities.xml")
        #expect(Self.refusal(source.path, site.path)?.contains("'sitegen.toml'") == true)
    }

    @Test(arguments: ["site/a/b.md", "site/a/c/index.md", "site/a/c/f.txt"])
    func `what people changed of a page does not stay when the page becomes restricted elsewhere`(
        file: String
    ) throws {
        let attachment = """
            <object class="Attachment"><id>7</id><property name="title">f.txt</property>
            <property name="containerContent"><id>3</id></property></object>
            """
        let source = try TemporaryFolder([
            "entities.xml": Self.space(
                ["1 A current - -", "2 B current 1 -", "3 C current 1 -"],
                rows: attachment
            ),
            "attachments/3/7/1": "f",
        ])
        let site = try TemporaryFolder()
        _ = try SiteImport(source.path, into: site.path)
        try site.write("mine", file)
        // Another page may get the name.
        for title in ["X", "B"] {
            let moved = [
                "1 A current - -", "9 R current 1 hr", "2 B current 9 -", "3 C current 9 -",
                "5 \(title) current 1 -",
            ]
            try source.write(Self.space(moved, rows: attachment), "entities.xml")
            let message = try #require(Self.refusal(source.path, site.path))
            #expect(message.contains(": '\(file)'; decide"))
        }
        // Moved where it is open, the copy stays, and is still known.
        let open = ["1 A current - -", "2 X current 1 -", "3 Y current 1 -"]
        try source.write(Self.space(open, rows: attachment), "entities.xml")
        #expect(Self.refusal(source.path, site.path) == nil)
        let closed = ["1 A current - -", "2 X current 1 hr", "3 Y current 1 hr"]
        try source.write(Self.space(closed, rows: attachment), "entities.xml")
        #expect(Self.refusal(source.path, site.path)?.contains("'\(file)'") == true)
        // Somebody decides.
        try FileManager.default.removeItem(atPath: site.path(file))
        #expect(Self.refusal(source.path, site.path) == nil)
    }

    @Test func `what is no export, no folder or no new folder is refused`() throws {
        let source = try TemporaryFolder(["entities.xml": Self.entities()])
        let empty = try TemporaryFolder(["a.md": "x"])
        let newer = try TemporaryFolder([".sitegen-import": "sitegen-import 2\n"])
        let archives = try TemporaryFolder(["Export-1.zip": "x"])
        let spaces = try TemporaryFolder([
            "HR/entities.xml": Self.entities(), "IT/entities.xml": Self.entities(), "a/b.txt": "x",
        ])
        try withTemporaryFolder { work in
            let new = "\(work)/new"
            let table = [
                (archives.path("Export-1.zip"), new, "is an archive; unzip it"),
                (archives.path, new, "'Export-1.zip' in the folder is an archive"),
                (empty.path, new, "the folder is no export"),
                (spaces.path, new, "'HR', 'IT' in the folder are exports; name one of them"),
                (empty.path("a.md"), new, "is no folder"),
                (source.path, empty.path, "is not empty, and no import made it"),
                (source.path, newer.path, "another version of sitegen wrote it"),
                (source.path, source.path, "must be neither in"),
                (source.path, source.path("sub/new"), "must be neither in"),
            ]
            for (source, destination, message) in table {
                #expect(Self.refusal(source, destination)?.contains(message) == true, "\(message)")
            }
            #expect(!FileManager.default.fileExists(atPath: source.path("sub")))
            // An archive often holds one folder.
            try FileManager.default.removeItem(atPath: spaces.path("IT"))
            let only = "because '\(spaces.path)/HR/entities.xml' is there"
            #expect(try SiteImport(spaces.path, into: new).report.contains(only))
            #expect(Self.refusal(spaces.path, spaces.path("new"))?.contains("neither in") == true)
        }
    }

    @Test func `pages that are below themselves, and two spaces, are refused`() throws {
        let source = try TemporaryFolder()
        let loop = Self.entities().replacing(
            "[A]]></property>",
            with: "[A]]></property><property name=\"parent\"><id>2</id></property>"
        )
        let spaces = Self.entities().replacing(
            "[A]]></property>",
            with: "[A]]></property><property name=\"space\"><id>8</id></property>"
        ).replacing(
            "[B]]></property>",
            with: "[B]]></property><property name=\"space\"><id>9</id></property>"
        )
        try withTemporaryFolder { work in
            for (text, message) in [(loop, "below themselves"), (spaces, "of 2 spaces")] {
                try source.write(text, "entities.xml")
                #expect(Self.refusal(source.path, "\(work)/new")?.contains(message) == true)
            }
        }
    }

    @Test func `links out of the export and into the site are not followed`() throws {
        let secret = try TemporaryFolder(["secret.txt": "secret"])
        let id = String(repeating: "0", count: 32)
        let source = try TemporaryFolder(["A \(id).md": "# A\n", "A \(id)/b.txt": "b"])
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: source.path("A \(id)/link.txt"),
            withDestinationPath: secret.path("secret.txt")
        )
        let site = try TemporaryFolder()
        let report = try SiteImport(source.path, into: site.path).report
        #expect(report.contains("link.txt' is no file; it is left out"))
        #expect(!files.fileExists(atPath: site.path("site/link.txt")))
        // A folder of the site that somebody made a link leads nowhere.
        try files.removeItem(atPath: site.path("site"))
        try files.createSymbolicLink(atPath: site.path("site"), withDestinationPath: secret.path)
        let second = try SiteImport(source.path, into: site.path).report
        #expect(second.contains("  site/index.md (removed)"))
        #expect(try files.contentsOfDirectory(atPath: secret.path) == ["secret.txt"])
    }
}
