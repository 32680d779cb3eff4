import ArgumentParser
import POSIX
import Site
import SiteGenerator

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Report what 'build' would report, and publish nothing.",
        discussion: """
            A site that already has hundreds of findings can record them in a baseline; from then \
            on, only new findings are printed.

            EXAMPLES:
              sitegen check
              sitegen check --baseline baseline.json --write-baseline
              sitegen check --baseline baseline.json --strict
              sitegen check --external --format sarif > findings.sarif
            """
    )

    @OptionGroup var site: SiteOptions

    @OptionGroup var record: WriteBaselineOption

    @OptionGroup(title: "External links") var external: ExternalLinkOptions

    func run() async throws {
        try await Console(options: site, purpose: .check).run { progress in
            var options = site.buildOptions(progress)
            options.checks.publishes = false
            options.checks.writesBaseline = record.writeBaseline
            if external.external {
                options.checks.externalLinks = external.check(beside: site.config ?? "sitegen.toml")
            }
            return await SiteBuild.run(configurationPath: site.config, options)
        }
    }
}
