import ArgumentParser
import POSIX
import Site
import SiteGenerator

struct PrintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Write all pages that one reader may open into a single HTML file.",
        discussion: """
            The file has the pages in reading order, behind a list of contents. It needs no other \
            file: pictures and styles are in it. A browser prints it or makes a PDF of it.

            EXAMPLES:
              sitegen print --as signed-in handbook.html
              sitegen print --as hr,board handbook.html
              chromium --headless --print-to-pdf=handbook.pdf handbook.html
            """
    )

    @OptionGroup var site: SiteOptions

    @Option(
        name: .customLong("as"),
        help: "Include what this reader may open: groups, 'signed-in' or 'public'."
    )
    var reader: String

    @Argument(help: "The file to write; '-' is standard output.")
    var file: String

    func run() async throws {
        do {
            try await write()
        } catch let error as ExitCode {
            throw error
        } catch {
            throw ExitCode.reporting(error)
        }
    }

    private func write() async throws {
        let options = site.buildOptions(BuildProgress { _, _, _ in })
        let groups = PreviewGroups.names(configurationPath: site.config, options)
        let reader = try Viewer(reader, groups: groups)
        let (html, outcome) = try await SiteBuild.print(
            configurationPath: site.config,
            options,
            for: reader
        )
        guard let html else {
            return try await Console(options: site, purpose: .check).run { _ in outcome }
        }
        if file == "-" { return try StandardOutput.write(html) }
        // Confidential pages: the file is for this account alone.
        try File.write(html, to: file, mode: 0o600)
        if !site.quiet { StandardError.write("sitegen: wrote '\(file)'\n") }
    }
}
