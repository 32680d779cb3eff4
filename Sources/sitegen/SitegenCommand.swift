import ArgumentParser

@main
struct SitegenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sitegen",
        abstract: "Renders a private site from Markdown, with the list of who may read what.",
        discussion: """
            EXAMPLES:
              sitegen init handbook && cd handbook
              sitegen new travel-costs
              sitegen serve --open
              sitegen check
              sitegen build

            Completions for a shell: sitegen --generate-completion-script bash
            """,
        version: "0.1.0",
        subcommands: [
            BuildCommand.self, ServeCommand.self, CheckCommand.self, NewCommand.self,
            InitCommand.self,
            ReleasesCommand.self, MarkdownCommand.self,
        ]
    )
}

/// What the programs of this package end with.
extension ExitCode {
    /// The content has errors.
    static let contentErrors = ExitCode(1)
    /// The disk has (`EX_IOERR`).
    static let inputOutput = ExitCode(74)
}
