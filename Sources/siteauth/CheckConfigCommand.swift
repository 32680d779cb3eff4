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

    @OptionGroup var calendar: ExpiryCalendar

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
        let due = try calendar.show(configuration)
        for text in due { StandardError.write("siteauth: error: \(text)\n") }
        let isSound = try !live || checkLive(configuration)
        if !due.isEmpty || !isSound { throw ExitCode.failure }
    }

    /// - Returns: whether the provider found no mistake.
    private func checkLive(_ configuration: AuthConfiguration) throws -> Bool {
        HTTPClient.prepare()
        let (lines, diagnostics) = LiveCheck(configuration, .live()).run()
        try StandardOutput.write(lines.map { "\($0)\n" }.joined())
        for diagnostic in diagnostics {
            StandardError.write(diagnostic.text(program: "siteauth"))
        }
        return !diagnostics.contains { $0.severity == .error }
    }

    /// Reports what is wrong with Redis.
    ///
    /// A Redis that forgets entries is an error. One that cannot be reached is a warning, because
    /// it may be unreachable from this shell only; with `--live` it is an error as well.
    private func lookAtRedis(_ configuration: AuthConfiguration) throws {
        let news = Mutex<[(level: Event.Level, text: String)]>([])
        let list = try RevocationList(configuration, state: nil) { level, text in
            news.withLock { $0.append((level, text)) }
        }
        guard case .redis(let redis) = list else { return }
        let condition = redis.look()
        let isUsable = condition?.problem == nil && (!live || redis.canWrite())
        for (level, text) in news.withLock(\.self) {
            let isError = level == .error && (live || condition != nil)
            StandardError.write("siteauth: \(isError ? "error" : "warning"): \(text)\n")
        }
        guard isUsable else { throw ExitCode.failure }
        if live, let condition { try StandardOutput.write("\(condition.summary)\n") }
    }
}
