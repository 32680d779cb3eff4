import ArgumentParser
import Diagnostics
import POSIX
import Site
import SiteGenerator

extension ReleasesCommand {
    struct Activate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "activate",
            abstract: "Check a release that was built elsewhere, and make it the current one.",
            discussion: """
                The folder has what 'output/current/' of a build has.

                EXAMPLES:
                  sitegen releases activate incoming --output /srv/docs/public
                """
        )

        @Argument(help: "The folder with the release.", completion: .directory)
        var folder: String

        @Option(
            parsing: .unconditional,
            help: "Keep this many releases, instead of 'releases_kept' in sitegen.toml."
        )
        var keep: Int?

        @OptionGroup var publishing: PublishingOptions

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let keep, !(1...1000).contains(keep) {
                throw ValidationError("'--keep' is \(keep); it must be from 1 to 1000")
            }
        }

        func run() async throws { try await ExitCode.reportingErrors { try await activate() } }

        private func activate() async throws {
            let settings = try ReleaseSettings(
                configurationPath: output.config,
                output: output.output,
                releasesKept: keep
            )
            var options = BuildOptions(now: Host.time)
            options.secondsToWait = publishing.secondsToWait
            options.syncs = !publishing.isUnsynced
            options.tellWait = { StandardError.write("sitegen: \($0)\n") }
            let activation = ReleaseActivation(
                output: settings.output,
                releasesKept: settings.releasesKept,
                options
            )
            let outcome = try await activation.run(folder)
            for failure in outcome.failures {
                StandardError.write(
                    "sitegen: warning: the release is published, but cleaning up after it failed:"
                        + " \(SafeText.of(failure))\n"
                )
            }
            try StandardOutput.write(
                outcome.isUnchanged
                    ? "release \(outcome.release) stays current; it has the same files\n"
                    : "release \(outcome.release) is current; \(outcome.linked) of"
                        + " \(outcome.files) files are those of the release before\n"
            )
        }
    }
}
