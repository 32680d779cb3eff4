import ArgumentParser
import Diagnostics
import POSIX
import SiteGenerator

extension ReleasesCommand {
    struct Manifest: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "manifest",
            abstract: "Print what 'pack --since' needs to leave out files that are here."
        )

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await ExitCode.reportingErrors {
                let settings = try ReleaseSettings(
                    configurationPath: output.config,
                    output: output.output
                )
                try await StandardOutput.write(Releases(in: settings.output).manifest())
            }
        }
    }

    struct Pack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pack",
            abstract: "Write the current release into one file, for 'activate' on another machine.",
            discussion: """
                EXAMPLES:
                  sitegen releases pack site.pack
                  sitegen releases pack --since manifest | ssh publisher@docs.example.com activate
                """
        )

        @Argument(
            help: "The file to write; '-' is standard output.",
            completion: .file(extensions: ["pack"])
        )
        var file = "-"

        @Option(
            help: "Leave out the files that this manifest of the other machine lists.",
            completion: .file()
        )
        var since: String?

        @Option(help: "Name the site, instead of 'base_url' in sitegen.toml.")
        var site: String?

        @Option(help: "Sign with this Ed25519 private key in PEM.", completion: .file())
        var key: String?

        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await ExitCode.reportingErrors {
                let settings = try ReleaseSettings(
                    configurationPath: output.config,
                    output: output.output,
                    site: site
                )
                let (site, releases) = (try settings.requireSite(), Releases(in: settings.output))
                let since = try since.map { try File.read($0) }
                let key = try key.map {
                    DecodedText(try File.read($0, maximumBytes: 1 << 20)).utf8
                }
                var size = 0
                let counts: (release: Int, files: Int, new: Int)
                if file == "-" {
                    counts = try await releases.pack(site: site, since: since, signingWith: key) {
                        try StandardOutput.write($0)
                        size += $0.count
                    }
                } else {
                    // An incomplete pack must not lie where a complete one is expected. It has every
                    // protected page, so that nobody else may read it, nor have made the file before.
                    let partial = "\(file).\(UInt64.random(in: 0 ... .max)).partial"
                    let new = try ScratchFile(creating: partial)
                    defer { try? File.remove(partial) }
                    counts = try await releases.pack(site: site, since: since, signingWith: key) {
                        try new.write($0, at: size)
                        size += $0.count
                    }
                    try File.rename(partial, to: file)
                }
                StandardError.write(
                    "sitegen: packed release \(counts.release): \(counts.new) of \(counts.files)"
                        + " files, \(size) bytes\n"
                )
            }
        }
    }
}
