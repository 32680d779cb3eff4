import ArgumentParser
import Diagnostics
import POSIX
import SiteGenerator

extension ReleasesCommand {
    /// How a pack is activated.
    struct ActivationOptions: ParsableArguments {
        @Option(help: "Take packs of this site only, instead of that of 'base_url'.")
        var site: String?

        @Option(
            help: "Take packs only if the private half of this public key in PEM signed them.",
            completion: .file()
        )
        var trustedKey: String?

        @Option(
            parsing: .unconditional,
            help: "Keep this many releases, instead of 'releases_kept' in sitegen.toml."
        )
        var keep: Int?

        @Option(
            name: .customLong("wait"),
            parsing: .unconditional,
            help: "Wait this many seconds while another build publishes to the same folder."
        )
        var secondsToWait = 60

        @Flag(
            name: .customLong("no-fsync"),
            help: "Do not wait until the release is on disk; a power loss may then empty its pages."
        )
        var isUnsynced = false

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let keep, !(1...1000).contains(keep) {
                throw ValidationError("'--keep' is \(keep); it must be from 1 to 1000")
            }
            if secondsToWait < 0 {
                throw ValidationError("'--wait' is \(secondsToWait); it must be 0 or more")
            }
        }

        /// - Parameter file: `-` is standard input.
        func activate(_ file: String) async throws {
            let settings = try ReleaseSettings(
                configurationPath: output.config,
                output: output.output,
                site: site,
                releasesKept: keep
            )
            var options = BuildOptions(now: Host.time)
            options.secondsToWait = secondsToWait
            options.syncs = !isUnsynced
            options.tellWait = { StandardError.write("sitegen: \($0)\n") }
            let activation = try PackActivation(
                output: settings.output,
                site: settings.requireSite(),
                releasesKept: settings.releasesKept,
                trustedKey: trustedKey.map {
                    DecodedText(try File.read($0, maximumBytes: 1 << 20)).utf8
                },
                options
            )
            let outcome =
                file == "-"
                ? try await activation.runFromStandardInput() : try await activation.run(file)
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

    struct Activate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "activate",
            abstract: "Check a pack, and make its release the current one, at once.",
            discussion: """
                EXAMPLES:
                  sitegen releases activate site.pack --site https://docs.example.com \\
                      --output /srv/docs/public
                """
        )

        @Argument(
            help: "The pack; '-' is standard input.",
            completion: .file(extensions: ["pack"])
        )
        var file = "-"

        @OptionGroup var activation: ActivationOptions

        func run() async throws {
            try await ExitCode.reportingErrors { try await activation.activate(file) }
        }
    }

    struct Receive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "receive",
            abstract: "Answer an ssh key that may publish and nothing else.",
            discussion: """
                In authorized_keys, it is the forced command of the key. It reads \
                SSH_ORIGINAL_COMMAND and does what 'manifest' or 'activate' does, and nothing else.

                EXAMPLES:
                  restrict,command="sitegen releases receive --site https://docs.example.com \
                --output /srv/docs/public" ssh-ed25519 AAAA… ci
                """
        )

        @OptionGroup var activation: ActivationOptions

        func run() async throws {
            switch Host.environment["SSH_ORIGINAL_COMMAND"] {
            case "manifest":
                var manifest = Manifest()
                manifest.output = activation.output
                try await manifest.run()
            case "activate":
                try await ExitCode.reportingErrors { try await activation.activate("-") }
            default:
                StandardError.write(
                    "sitegen: error: this key may do 'manifest' and 'activate', as in"
                        + " 'ssh HOST activate <site.pack'\n"
                )
                throw ExitCode.contentErrors
            }
        }
    }
}
