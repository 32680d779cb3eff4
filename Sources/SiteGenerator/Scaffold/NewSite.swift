import POSIX

/// A small site to begin with: two pages for everybody who signed in, and a folder for few.
public enum NewSite {
    /// Writes the site into a folder that is not there or empty; a `.git` may be in it.
    ///
    /// - Returns: the files that were written, in their order.
    public static func make(in folder: String) throws(CommandError) -> [String] {
        do {
            try Folder.create(folder)
            if let entry = try Folder.entries(of: folder).first(where: { $0.name != ".git" }) {
                let message = "'\(folder)' is not empty: there is '\(entry.name)'"
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
            # What sitegen has to know of this site; all other keys have defaults.
            title = "Our handbook"
            description = "How we work"
            language = "en"

            # Who may read a page for which nothing else is said: "public", "signed-in", or groups.
            access = "signed-in"

            # A reader is in a group if any of its lines applies: 'role' is the value of an app role in
            # Entra, 'group' the object id of a security group, 'users' those of single people.
            [groups]
            hr = { role = "HR" }

            # How much each kind of finding matters: "error", "warning" or "off".
            [checks]
            missing-alternative-text = "warning"

            """
        ),
        (
            ".gitignore",
            """
            # What sitegen writes
            /public/
            /.sitegen/
            # Never for git
            secrets.toml

            """
        ),
        (
            "site/index.md",
            """
            # Our handbook

            Everybody who signed in may read this page. Write more beside it: each `.md` file in \
            the folder `site` is a page.

            - [Getting started](getting-started.md) says how.

            There is a folder for few people, too: `site/people`. No list here shows it to anybody \
            else, not even its title.

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

            `sitegen new travel-costs` makes a page, and `sitegen build` publishes the site.

            ## Link pages

            Link to the file, as in `[home](index.md)`: [home](index.md). Links and headings are \
            checked, and a mistake is told with its line.

            """
        ),
        (
            "site/people/index.md",
            """
            ---
            title: People
            access: [hr]
            ---

            Only readers in the group `hr` may open this page and all below it. What the group is \
            stands in `sitegen.toml`.

            - [Interviews](interviews.md)

            """
        ),
        (
            "site/people/interviews.md",
            """
            ---
            title: Interviews
            ---

            This page says nothing of access: it is for `hr`, as its folder is.

            """
        ),
    ]
}
