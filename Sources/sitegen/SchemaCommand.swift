import ArgumentParser
import POSIX
import SiteGenerator

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of front matter or of sitegen.toml, for editors.",
        discussion: """
            EXAMPLES:
              sitegen schema configuration > .vscode/configuration.schema.json
            """
    )

    @Argument(help: "Print this schema.")
    var name: SiteSchema

    func run() throws { try ExitCode.reportingErrors { try StandardOutput.write(name.text) } }
}

extension SiteSchema: ExpressibleByArgument {}
