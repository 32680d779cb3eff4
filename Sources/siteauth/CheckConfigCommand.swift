import ArgumentParser
import Curl
import Diagnostics
import POSIX
import RelyingParty
import SiteauthConfiguration
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
            "Also ask the provider whether this site is registered correctly, and Redis whether it takes entries; this signs nobody in."
    )
    var live = false

    @OptionGroup var calendar: ExpiryCalendar

    @Option(
        name: .customLong("site"),
        help: "The folder that sitegen publishes to; without a name, only if it is given."
    )
    var folder: String?

    @Option(
        help: "The folder with the list of ended sessions; without a name, only if it is given."
    )
    var state: String?

    @Option(
        help: ArgumentHelp(
            "nginx's configuration; without a name, only if it is given. (default: /etc/nginx/nginx.conf)",
            valueName: "file"
        )
    )
    var nginx: String?

    func run() throws {
        Signals.ignoreBrokenPipes()
        let configuration = try site.file.read()
        let isRedisUsable = try lookAtRedis(configuration)
        guard isRedisUsable || live else { throw ExitCode.failure }
        try StandardOutput.write(
            """
            The configuration is complete. \(configuration.checklist)\
            The URL of the discovery document is
                \(configuration.metadataURL.text)

            """
        )
        let due = try calendar.show(configuration)
        for text in due { StandardError.write("siteauth: error: \(text)\n") }
        var isSound = try !live || checkLive(configuration)
        if let path = nginx ?? site.name.map({ _ in "/etc/nginx/nginx.conf" }) {
            let check = NginxCheck(path: path, name: site.name, origin: configuration.origin)
            let (line, diagnostics) = check.run()
            isSound = try show(line.map { [$0] } ?? [], diagnostics) && isSound
        }
        if let problem = problemOnDisk(configuration) {
            StandardError.write("siteauth: error: \(problem)\n")
            throw ExitCode.failure
        }
        if !isRedisUsable || !due.isEmpty || !isSound { throw ExitCode.failure }
    }

    /// Why readers get nothing, by the state folder and the release; there need not be one yet.
    private func problemOnDisk(_ configuration: AuthConfiguration) -> String? {
        if state != nil || site.name != nil,
            let problem = RevocationFolder(site.state(state)).formatProblem
        {
            return problem
        }
        guard folder != nil || site.name != nil else { return nil }
        if case .file(let path) = configuration.audit, let problem = problem(ofAudit: path) {
            return "'audit': \(problem)"
        }
        let folder = site.site(folder)
        if site.name != nil, let problem = ReleaseReadability(folder: folder).problem {
            return problem
        }
        guard let releases = try? ReleaseFiles(site: folder), let release = releases.current()
        else { return nil }
        if let problem = releases.currentProblem() { return problem }
        return releases.policy(of: release).flatMap { policy in
            RelyingParty.auditProblem(policy) { configuration.audit == nil ? Storage.noAudit : nil }
        }
    }

    /// Why siteauth cannot write the file of the audit, as far as this account can tell.
    private func problem(ofAudit path: String) -> SystemError? {
        let folder = Folder.parent(of: path)
        // systemd makes this folder when the service starts, for its account. Elsewhere the account
        // is not known.
        let isOfSystemd = folder == site.name.map { "/var/log/siteauth/\($0)" }
        let status = try? FileStatus(of: folder)
        if isOfSystemd, status == nil { return nil }
        return LineLog.problem(ofFileAt: path, owner: isOfSystemd ? status?.owner : nil)
    }

    /// - Returns: whether the provider found no mistake.
    private func checkLive(_ configuration: AuthConfiguration) throws -> Bool {
        HTTPClient.prepare()
        let (lines, diagnostics) = LiveCheck(configuration, .live()).run()
        return try show(lines, diagnostics)
    }

    /// - Returns: whether there is no error.
    private func show(_ lines: [String], _ diagnostics: [Diagnostic]) throws -> Bool {
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
    ///
    /// - Returns: whether readers can be let in, as far as Redis is concerned.
    private func lookAtRedis(_ configuration: AuthConfiguration) throws -> Bool {
        let news = Mutex<[(level: Event.Level, text: String)]>([])
        let list = configuration.revocationList(state: nil) { level, text in
            news.withLock { $0.append((level, text)) }
        }
        guard let redis = list as? RevocationRedis else {
            for (_, text) in news.withLock(\.self) {
                StandardError.write("siteauth: error: \(text)\n")
            }
            return list != nil
        }
        let condition = redis.fetchInfo()
        let isUsable = condition?.problem == nil && (!live || redis.canWrite())
        for (level, text) in news.withLock(\.self) {
            let isError = level == .error && (live || condition != nil)
            StandardError.write("siteauth: \(isError ? "error" : "warning"): \(text)\n")
        }
        if isUsable, live, let condition { try StandardOutput.write("\(condition.summary)\n") }
        return isUsable
    }
}
