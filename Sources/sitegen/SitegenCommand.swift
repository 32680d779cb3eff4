import ArgumentParser
import UsageErrors
import Version

@main
struct SitegenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sitegen",
        abstract: "Build a private site from Markdown, with a list of who may read what.",
        discussion: """
            EXAMPLES:
              sitegen init handbook && cd handbook
              sitegen new travel-costs
              sitegen serve --open
              sitegen check
              sitegen build

            Completions for a shell: sitegen --generate-completion-script bash
            """,
        version: Version.current,
        subcommands: [
            BuildCommand.self, ServeCommand.self, CheckCommand.self, AccessCommand.self,
            ReviewsCommand.self,
            NewCommand.self, InitCommand.self, ImportCommand.self, PrintCommand.self,
            ReleasesCommand.self, SchemaCommand.self, MarkdownCommand.self,
        ]
    )

    /// Options of Hugo, MkDocs and mdBook.
    private static let habits = [
        "-D": "--drafts", "-d": "--output", "--baseURL": "--base-url", "--bind": "--host",
        "--buildDrafts": "--drafts", "--buildFuture": "--future", "--buildExpired": "--expired",
        "--config-file": "--config", "--dest": "--output", "--dest-dir": "--output",
        "--destination": "--output", "--dev-addr": "--host", "--hostname": "--host",
        "--site-dir": "--output",
    ]

    static func main() async { await runOrExit(habits: habits) }
}

/// The exit codes of sitegen.
extension ExitCode {
    /// The site has errors.
    static let contentErrors = ExitCode(1)
    /// A file could not be read or written (`EX_IOERR`).
    static let inputOutput = ExitCode(74)
}
