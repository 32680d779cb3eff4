import ArgumentParser
import POSIX
import SiteGenerator

struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Makes a page with front matter.",
        discussion: """
            The path is below the site's source folder; '.md' is added. A page that is there is \
            left alone.

            EXAMPLES:
              sitegen new travel-costs
              sitegen new hr/salaries --title "Salaries & bonuses"
            """
    )

    @Argument(help: "The page, below the source folder.", completion: .file(extensions: ["md"]))
    var path: String

    @Option(name: .shortAndLong, help: "The page's title, instead of one made from its name.")
    var title: String?

    @Option(name: .shortAndLong, help: "The file that describes the site.")
    var config = "sitegen.toml"

    func run() throws {
        try ExitCode.telling {
            let file = try NewPage.make(path, title: title, configurationPath: config)
            try StandardOutput.write(file + "\n")
        }
    }
}
