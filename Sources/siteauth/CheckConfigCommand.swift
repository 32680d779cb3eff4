import ArgumentParser
import Curl
import Diagnostics
import POSIX
import RelyingParty
import Synchronization

struct CheckConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract:
            "Check the configuration, report every problem, and print what to register at the provider."
    )

    @OptionGroup var site: SiteArguments

    @Flag(
        help:
            "Also ask the provider whether this site is registered correctly; this signs nobody in."
    )
    var live = false

    func run() throws {
        let configuration = try site.file.read()
        try lookAtRedis(configuration)
        try StandardOutput.write(
            """
            The configuration is complete. \(configuration.checklist)\
            The URL of the discovery document is
                \(configuration.metadataURL.text)

            """
        )
        guard live else { return }
        HTTPClient.prepare()
        let (lines, diagnostics) = LiveCheck(configuration, .live()).run()
        try StandardOutput.write(lines.map { "\($0)\n" }.joined())
        for diagnostic in diagnostics {
            StandardError.write(diagnostic.text(program: "siteauth"))
        }
        if diagnostics.contains(where: { $0.severity == .error }) { throw ExitCode.failure }
    }

    /// A Redis that forgets entries is an error; an unreachable Redis is a warning, because it may
    /// be unreachable from this shell only.
    private func lookAtRedis(_ configuration: AuthConfiguration) throws {
        let news = Mutex<[String]>([])
        let list = RevocationList(configuration, state: "") { _, text in
            news.withLock { $0.append(text) }
        }
        let problem = list.problem()
        for text in news.withLock(\.self) where text != problem {
            StandardError.write("siteauth: warning: \(text)\n")
        }
        guard let problem else { return }
        StandardError.write("siteauth: error: \(problem)\n")
        throw ExitCode.failure
    }
}
