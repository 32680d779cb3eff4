import Diagnostics
import POSIX

/// Creates a small site for `sitegen init`: two pages for signed-in readers, and a folder for a
/// group.
public enum NewSite {
    /// Writes the site into a folder that is new or empty, except for `.git`.
    ///
    /// - Returns: the paths of the written files.
    public static func make(in folder: String) throws(CommandError) -> [String] {
        do {
            try Folder.create(folder)
            if let entry = try Folder.entries(of: folder).first(where: { $0.name != ".git" }) {
                let message = "'\(folder)' is not empty; it contains '\(entry.name)'"
                throw CommandError(message)
            }
            for (path, text) in files {
                let file = "\(folder)/\(path)"
                if let slash = file.lastIndex(of: "/") { try Folder.create(String(file[..<slash])) }
                try File.create(Array(text.utf8), at: file)
            }
        } catch let refusal as CommandError {
            throw refusal
        } catch {
            throw CommandError("\(error)", isDisk: true)
        }
        return files.map(\.path)
    }

    static let files: [(path: String, text: String)] = [
        (
            "sitegen.toml",
            """
            #:schema ./.vscode/configuration.schema.json

            # The configuration of this site. All other keys have defaults; the handbook lists them.
            title = "Our handbook"
            description = "How we work"
            language = "en"

            # Who may read pages that have no 'access' of their own: "public", "signed-in" or groups.
            access = "signed-in"

            # Groups of readers. Each group has one or more of these keys: 'role', the value of an app
            # role in Entra; 'group', the object id of a security group; 'users', object ids of people.
            [groups]
            hr = { role = "HR" }

            # What 'sitegen check' reports, rule by rule: "error", "warning" or "off".
            [checks]
            missing-alternative-text = "warning"

            """
        ),
        (
            ".gitignore",
            """
            # Written by sitegen
            /public/
            /.sitegen/
            # Secrets of siteauth: never in git
            secrets.toml

            """
        ),
        (".vscode/configuration.schema.json", SiteSchema.configuration.text),
        (".vscode/front-matter.schema.json", SiteSchema.frontMatter.text),
        (
            ".vscode/tasks.json",
            #"""
            {
              "version": "2.0.0",
              "tasks": [
                {
                  "label": "sitegen check",
                  "type": "shell",
                  "command": "sitegen check",
                  "group": { "kind": "build", "isDefault": true },
                  "problemMatcher": {
                    "owner": "sitegen",
                    "source": "sitegen",
                    "fileLocation": ["relative", "${workspaceFolder}"],
                    "pattern": {
                      "regexp": "^(.+?):(\\d+):(\\d+): (error|warning|note): (.*)$",
                      "file": 1, "line": 2, "column": 3, "severity": 4, "message": 5
                    }
                  }
                },
                { "label": "sitegen serve", "type": "shell", "command": "sitegen serve --open", "problemMatcher": [] }
              ]
            }

            """#
        ),
        (
            "site/index.md",
            """
            # Our handbook

            Everybody who has signed in may read this page. Each `.md` file in the folder `site` is \
            a page.

            - [Getting started](getting-started.md) explains how to write pages.

            The folder `site/people` is for a few readers only. For everybody else it does not \
            exist: no list shows its pages, not even their titles.

            """
        ),
        (
            "site/getting-started.md",
            """
            ---
            title: Getting started
            order: 1
            ---

            ## Write a page

            `sitegen new travel-costs` creates a page. `sitegen serve --open` shows the site while you \
            write, and `sitegen build` publishes it.

            ## Link pages

            Link to the Markdown file: `[home](index.md)` becomes [home](index.md). `sitegen check` \
            reports dead links with file and line.

            """
        ),
        (
            "site/people/index.md",
            """
            ---
            title: People
            access: [hr]
            ---

            Only members of the group `hr` may open this page and the pages below it. The group is \
            defined in `sitegen.toml`.

            - [Interviews](interviews.md)

            """
        ),
        (
            "site/people/interviews.md",
            """
            ---
            title: Interviews
            ---

            This page has no `access` of its own, so it inherits that of its folder: it is for `hr`.

            """
        ),
    ]
}
