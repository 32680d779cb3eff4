import ArgumentParser
import SiteGenerator

struct BuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Builds the site and publishes it as a new release.",
        discussion: """
            All mistakes are reported at once, as 'path:line:column: error: …'. If there is one, \
            nothing is published and readers keep the release before.

            EXAMPLES:
              sitegen build
              sitegen build --config handbook/sitegen.toml --output /srv/handbook
              sitegen build --strict --format github
            """
    )

    @OptionGroup var site: SiteOptions

    @Option(
        name: .shortAndLong,
        help: "Where releases go, instead of 'output' in the file.",
        completion: .directory
    )
    var output: String?

    func run() async throws {
        try await Console(options: site, purpose: .build).run { progress in
            await SiteBuild.run(
                configurationPath: site.config,
                output: output,
                options: site.checkOptions(progress)
            )
        }
    }
}
