import ArgumentParser
import Import
import POSIX
import SiteGenerator

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make a site of an export of Confluence or Notion, or of pages with tags.",
        discussion: """
            The export is a folder: unzip it first. Confluence exports a space as XML, with who may \
            read which page, or as HTML, without. Notion exports 'Markdown & CSV'.

            With '--map', the folder has pages in Markdown with shortcodes of Hugo, tags of Liquid or \
            components of JSX. A line such as "shortcode alert" = "> [!NOTE] {title}" says what one \
            becomes.

            A later import into the same folder keeps the files that somebody has changed since.

            EXAMPLES:
              unzip -q space.zip -d space
              sitegen import space handbook
              cd handbook && sitegen serve --open
            """
    )

    @Argument(help: "Read the unpacked export in this folder.", completion: .directory)
    var source: String

    @Argument(help: "Write the site into this folder.", completion: .directory)
    var destination: String

    @Option(help: "Link issues of Jira to this address, such as https://jira.example.com.")
    var jira: String?

    @Option(
        help: "Read what tags in pages of Markdown become from this file.",
        completion: .file(extensions: ["toml"])
    )
    var map: String?

    func run() throws {
        try ExitCode.reportingErrors {
            let made = try SiteImport(source, into: destination, jira: jira, mapping: map)
            let lines = made.report.split(separator: "\n", omittingEmptySubsequences: false)
            try StandardOutput.write(lines.map { SafeText.of(String($0)) }.joined(separator: "\n"))
        }
    }
}
