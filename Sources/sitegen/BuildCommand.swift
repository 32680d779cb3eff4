import ArgumentParser
import POSIX
import Site
import SiteGenerator

struct BuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build the site and publish it as a new release.",
        discussion: """
            All findings are printed at once, as 'path:line:column: error: …'. If one of them is an \
            error, nothing is published, and readers keep the previous release.

            A plain folder of Markdown needs neither a configuration file nor templates.

            EXAMPLES:
              sitegen build
              sitegen build --source docs --output /tmp/site
              sitegen build --config handbook/sitegen.toml --output /srv/handbook
              sitegen build --strict --format github
            """
    )

    @OptionGroup var site: SiteOptions

    @OptionGroup var record: WriteBaselineOption

    @Option(
        name: .shortAndLong,
        help: "Publish to this folder, instead of 'output' in sitegen.toml.",
        completion: .directory
    )
    var output: String?

    @OptionGroup var publishing: PublishingOptions

    func run() async throws {
        try await Console(options: site, purpose: .build).run { progress in
            var options = site.buildOptions(progress)
            options.output = output
            options.checks.writesBaseline = record.writeBaseline
            options.secondsToWait = publishing.secondsToWait
            options.syncs = !publishing.isUnsynced
            if !site.quiet {
                options.tellWait = { StandardError.write("sitegen: \($0)\n") }
            }
            return await SiteBuild.run(configurationPath: site.config, options)
        }
    }
}
