import ArgumentParser
import SiteGenerator

struct BuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Builds the site and publishes it as a new release.",
        discussion: """
            All mistakes are reported at once, as 'path:line:column: error: …'. If there is one, \
            nothing is published and readers keep the release before.

            A plain folder of Markdown needs neither a configuration nor templates.

            EXAMPLES:
              sitegen build
              sitegen build --source docs --output /tmp/site
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
            var options = site.buildOptions(progress)
            options.output = output
            return await SiteBuild.run(configurationPath: site.config, options)
        }
    }
}
