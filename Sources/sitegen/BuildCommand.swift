import ArgumentParser
import POSIX
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

    @Option(
        name: .customLong("wait"),
        help: "How many seconds to wait while another build publishes to the same folder."
    )
    var secondsToWait = 60

    @Flag(
        name: .customLong("no-fsync"),
        help: "Do not wait until the release is on disk; a power loss may then empty its pages."
    )
    var isUnsynced = false

    func validate() throws {
        if secondsToWait < 0 {
            throw ValidationError("'--wait' is \(secondsToWait); it must be 0 or more")
        }
    }

    func run() async throws {
        try await Console(options: site, purpose: .build).run { progress in
            var options = site.buildOptions(progress)
            options.output = output
            options.secondsToWait = secondsToWait
            options.syncs = !isUnsynced
            if !site.quiet {
                options.tellWait = { StandardError.write("sitegen: \($0)\n") }
            }
            return await SiteBuild.run(configurationPath: site.config, options)
        }
    }
}
