import ArgumentParser
import FoundationEssentials
import POSIX
import SiteGenerator

struct ReleasesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "releases",
        abstract: "Lists the releases on disk, and goes back to one of them.",
        discussion: """
            EXAMPLES:
              sitegen releases
              sitegen releases rollback
              sitegen releases rollback 41 --output /srv/handbook
            """,
        subcommands: [List.self, RollBack.self],
        defaultSubcommand: List.self
    )

    /// Where the releases are.
    struct OutputOptions: ParsableArguments {
        @Option(name: .shortAndLong, help: "The file that describes the site.")
        var config = "sitegen.toml"

        @Option(name: .shortAndLong, help: "Where releases are, instead of 'output' in the file.")
        var output: String?

        /// - Throws: an exit code, when the reason was told.
        func with(_ work: (Releases) throws -> Void) throws {
            try ExitCode.telling {
                try work(Releases(in: output ?? Releases.output(configurationPath: config)))
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Number, time and pages of each release; '*' marks the current one."
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
            abstract: "Makes an older release the current one, at once."
        )

        @Argument(help: "Its number; the one before the current one otherwise.")
        var number: Int?

        @OptionGroup var output: OutputOptions

        func run() throws {
            try output.with { releases in
                let (from, to) = try releases.rollBack(to: number)
                let before = from.map { ", before it release \($0)" } ?? ""
                try StandardOutput.write("release \(to) is current\(before)\n")
            }
        }
    }
}
