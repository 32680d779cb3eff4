import ArgumentParser
import POSIX
import Site
import SiteGenerator

struct ReviewsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reviews",
        abstract: "List which pages have to be reviewed, by whom and when.",
        discussion: """
            EXAMPLES:
              sitegen reviews
              sitegen reviews --owner "Alice Moss"
            """
    )

    @Option(help: ArgumentHelp("List the pages of this owner only.", valueName: "name"))
    var owner: String?

    @Option(
        name: .shortAndLong,
        help: "Read this configuration file (default: sitegen.toml, if it exists).",
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    func run() async throws {
        let options = try SiteOptions.parse([])
        let (list, outcome) = await SiteBuild.reviews(
            configurationPath: config,
            owner: owner,
            options.buildOptions(BuildProgress { _, _, _ in })
        )
        guard let list else {
            return try await Console(options: options, purpose: .check).run { _ in outcome }
        }
        try ExitCode.reportingErrors { try StandardOutput.write(list) }
    }
}
