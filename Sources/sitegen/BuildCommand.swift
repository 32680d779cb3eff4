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

            A plain folder of Markdown needs neither a configuration nor templates: \
            'sitegen build --source docs'.
            """
    )

    @Option(
        name: .shortAndLong,
        help: "The file that describes the site (default: sitegen.toml, where there is one)."
    )
    var config: String?

    @Option(name: .shortAndLong, help: "The folder of the pages, instead of 'source' in the file.")
    var source: String?

    @Option(name: .shortAndLong, help: "Where releases go, instead of 'output' in the file.")
    var output: String?

    @Flag(help: "Publish drafts, too.")
    var drafts = false

    @Flag(help: "Publish pages whose 'date' is to come, too.")
    var future = false

    @Flag(help: "Publish pages whose 'expiryDate' has passed, too.")
    var expired = false

    @Flag(
        help: "Make unknown keys of front matter warnings, but for slips of 'access' and 'draft'."
    )
    var lenient = false

    func run() async throws {
        let start = Host.uptimeNanoseconds
        let outcome = await SiteBuild.run(configurationPath: config, options)
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

    private var options: BuildOptions {
        // reproducible-builds.org: the time that a build is to take for now.
        let epoch = Host.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
        var options = BuildOptions(now: epoch ?? Host.time)
        options.source = source
        options.output = output
        options.isLenient = lenient
        if drafts { options.included.insert(.draft) }
        if future { options.included.insert(.future) }
        if expired { options.included.insert(.expired) }
        return options
    }
}
