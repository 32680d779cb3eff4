import ArgumentParser

@main
struct SitegenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sitegen",
        abstract: "Renders a private site from Markdown, with the list of who may read what.",
        version: "0.1.0",
        subcommands: [BuildCommand.self, MarkdownCommand.self]
    )
}

/// What the programs of this package end with.
extension ExitCode {
    /// The content has errors.
    static let contentErrors = ExitCode(1)
    /// The disk has (`EX_IOERR`).
    static let inputOutput = ExitCode(74)
}
