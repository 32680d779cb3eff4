import ArgumentParser
import POSIX
import SiteGenerator

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes a small site to begin with.",
        discussion: """
            The folder is made, or has to be empty.

            EXAMPLES:
              sitegen init handbook
              sitegen build --config handbook/sitegen.toml
            """
    )

    @Argument(help: "The folder of the new site.", completion: .directory)
    var folder: String

    func run() throws {
        try ExitCode.telling {
            let files = try NewSite.make(in: folder)
            try StandardOutput.write(files.map { "\(folder)/\($0)\n" }.joined())
        }
    }
}
