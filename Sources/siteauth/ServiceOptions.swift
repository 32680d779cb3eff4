import ArgumentParser
import Curl
import Logging
import POSIX
import RelyingParty

/// What every way of answering nginx needs: where things lie, and how log lines look.
struct ServiceOptions: ParsableArguments {
    @OptionGroup var file: ConfigurationFile

    @Option(help: "The folder that sitegen publishes to.")
    var site = "public"

    @Option(help: "A folder for the list of sessions that were ended.")
    var state = "state"

    @Option(help: "How log lines look: text or json.")
    var logFormat = LogFormat.text

    func makeLogger() -> Logger {
        Logger(label: "siteauth") { [logFormat] _ in LineLogHandler(logFormat) }
    }

    func makeEnvironment() -> Environment {
        let client = HTTPClient()
        var environment = Environment(
            now: { Host.time },
            random: Environment.systemRandom,
            send: { request, body in try client.send(request, body: body) }
        )
        environment.uptimeNanoseconds = { Host.uptimeNanoseconds }
        return environment
    }

    func makeStorage() throws(SystemError) -> Storage {
        let releases = try ReleaseFiles(site: site)
        let revocations = RevocationFolder(state)
        try revocations.create()
        return Storage(
            policy: releases.policy(of:),
            frame: releases.frame(of:),
            isRevoked: revocations.contains,
            revoke: revocations.add
        )
    }
}
