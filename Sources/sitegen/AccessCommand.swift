import ArgumentParser
import Diagnostics
import POSIX
import Releases
import Site
import SiteGenerator

struct AccessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Say who may read a page, and why, or what changes for readers.",
        discussion: """
            Without a path, every page and file is listed with its readers.

            EXAMPLES:
              sitegen access
              sitegen access site/hr/salaries.md
              sitegen access /hr/salaries/
              sitegen access --as hr
              sitegen access --compare current
            """
    )

    @Argument(help: "Pages or files, by their files or their URLs.", completion: .file())
    var paths: [String] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "List what such a reader may read: 'public', 'signed-in' or a group; several for a member of all.",
            valueName: "reader"
        )
    )
    var readers: [String] = []

    @Option(
        help: ArgumentHelp(
            "Print what changes for readers against this release: 'current', or its number.",
            valueName: "release"
        )
    )
    var compare: String?

    @Option(
        name: .shortAndLong,
        help: "Read this configuration file (default: sitegen.toml, if it exists).",
        completion: .file(extensions: ["toml"])
    )
    var config: String?

    @Option(
        name: .shortAndLong,
        help: "Use the releases in this folder, instead of 'output' in sitegen.toml.",
        completion: .directory
    )
    var output: String?

    func validate() throws {
        if !readers.isEmpty, compare != nil || !paths.isEmpty {
            throw ValidationError("'--as' and '--compare' or paths cannot be combined")
        }
        guard let compare else { return }
        if !paths.isEmpty { throw ValidationError("'--compare' and paths cannot be combined") }
        guard compare == "current" || Int(compare).map({ $0 > 0 }) == true else {
            throw ValidationError("'--compare' is '\(compare)'; it must be 'current' or a number")
        }
    }

    func run() async throws {
        var options = try SiteOptions.parse([]).buildOptions(BuildProgress { _, _, _ in })
        options.checks.publishes = false
        let (report, outcome) = await SiteBuild.access(configurationPath: config, options)
        guard let report else {
            // What is no error says nothing of the readers.
            var errors = outcome
            errors.diagnostics.removeAll { $0.severity != .error }
            return try await Console(options: SiteOptions.parse([]), purpose: .check).run { _ in
                errors
            }
        }
        try ExitCode.reportingErrors {
            if let compare {
                let configuration = config ?? "sitegen.toml"
                let settings = try ReleaseSettings(
                    configurationPath: configuration,
                    output: output
                )
                let releases = Releases(in: settings.output)
                return try StandardOutput.write(
                    report.comparison(with: Int(compare), in: releases)
                )
            }
            if !readers.isEmpty { return try StandardOutput.write(report.list(for: readers)) }
            if paths.isEmpty { try StandardOutput.write(report.list) }
            for path in paths { try StandardOutput.write(report.explanation(of: path)) }
        }
    }
}
