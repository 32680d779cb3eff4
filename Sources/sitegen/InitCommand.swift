import ArgumentParser
import POSIX
import SiteGenerator

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a small site to begin with.",
        discussion: """
            If the folder exists, it must be empty.

            EXAMPLES:
              sitegen init handbook
              cd handbook && sitegen serve --open
            """
    )

    @Argument(help: "Create the site in this folder.", completion: .directory)
    var folder: String

    func run() throws {
        try ExitCode.reportingErrors {
            let files = try NewSite.make(in: folder)
            try StandardOutput.write(files.map { "\(folder)/\($0)\n" }.joined())
        }
    }
}
