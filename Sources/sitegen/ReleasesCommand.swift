import ArgumentParser
import FoundationEssentials
import POSIX
import Releases
import SiteGenerator

struct ReleasesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "releases",
        abstract: "List releases, go back to one of them, or publish one that was built elsewhere.",
        discussion: """
            EXAMPLES:
              sitegen releases
              sitegen releases rollback
              sitegen releases rollback 41 --output /srv/handbook
              sitegen releases activate incoming
            """,
        subcommands: [List.self, RollBack.self, Activate.self],
        defaultSubcommand: List.self
    )

    /// The options that find the releases.
    struct OutputOptions: ParsableArguments {
        @Option(name: .shortAndLong, help: "Read this configuration file.")
        var config = "sitegen.toml"

        @Option(
            name: .shortAndLong,
            help: "Use the releases in this folder, instead of 'output' in sitegen.toml."
        )
        var output: String?

        /// - Throws: an exit code, after the error was printed.
        func with(_ work: (Releases) throws -> Void) throws {
            try ExitCode.reportingErrors {
                let settings = try ReleaseSettings(configurationPath: config, output: output)
                try work(Releases(in: settings.output))
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List number, time and pages of each release; '*' marks the current one."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            try output.with { releases in
                for release in try releases.list() {
                    let time = Date(timeIntervalSince1970: Double(release.time)).formatted(.iso8601)
                    let mark = release.isCurrent ? "*" : " "
                    let pages = release.pages == 1 ? "page" : "pages"
                    try StandardOutput.write(
                        "\(mark) \(release.number)  \(time)  \(release.pages) \(pages)\n"
                    )
                }
            }
        }
    }

    struct RollBack: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rollback",
            abstract: "Make another release the current one, at once."
        )

        @Argument(help: "The release's number (default: the release before the current one).")
        var number: Int?

        @OptionGroup var output: OutputOptions

        func run() throws {
            try output.with { releases in
                let (from, to) = try releases.rollBack(to: number)
                let before = from.map { ", instead of release \($0)" } ?? ""
                // The release has changed, whether that can be printed or not.
                try? StandardOutput.write("release \(to) is current\(before)\n")
            }
        }
    }
}
