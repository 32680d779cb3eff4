import ArgumentParser
import Diagnostics
import POSIX
import SiteGenerator

struct BuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Builds the site and publishes it as a new release.",
        discussion: """
            All mistakes are reported at once, as 'path:line:column: error: …'. If there is one, \
            nothing is published and readers keep the release before.
            """
    )

    @Option(name: .shortAndLong, help: "The file that describes the site.")
    var config = "sitegen.toml"

    @Option(name: .shortAndLong, help: "Where releases go, instead of 'output' in the file.")
    var output: String?

    func run() async throws {
        let start = Host.uptimeNanoseconds
        let outcome = await SiteBuild.run(configurationPath: config, output: output)
        let milliseconds = Int((Host.uptimeNanoseconds - start) / 1_000_000)
        for diagnostic in outcome.diagnostics {
            StandardError.write(diagnostic.text(program: "sitegen"))
        }
        StandardError.write("sitegen: \(BuildSummary(outcome, milliseconds: milliseconds).text)\n")
        if outcome.hasErrors {
            throw outcome.diagnostics.contains { $0.place == nil }
                ? ExitCode.inputOutput : ExitCode.contentErrors
        }
    }
}
