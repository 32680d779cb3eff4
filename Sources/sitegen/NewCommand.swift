import ArgumentParser
import POSIX
import SiteGenerator

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create a page with front matter.",
        discussion: """
            The path is relative to the source folder; '.md' is added. An existing page is never \
            overwritten.

            EXAMPLES:
              sitegen new travel-costs
              sitegen new hr/salaries --title "Salaries & bonuses"
            """
    )

    @Argument(help: "The page's path in the source folder.", completion: .file(extensions: ["md"]))
    var path: String

    @Option(name: .shortAndLong, help: "Use this title, instead of one made from the path.")
    var title: String?

    @Option(
        name: .shortAndLong,
        help: "Read this configuration file (default: sitegen.toml, if it exists).",
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    func run() throws {
        try ExitCode.reportingErrors {
            let file = try NewPage.make(path, title: title, configurationPath: config)
            try StandardOutput.write(file + "\n")
        }
    }
}
