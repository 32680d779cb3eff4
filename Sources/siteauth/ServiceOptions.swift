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
        var environment = Environment.live()
        environment.uptimeNanoseconds = { Host.uptimeNanoseconds }
        return environment
    }

    func makeStorage(_ revocations: RevocationList) throws(SystemError) -> Storage {
        let releases = try ReleaseFiles(site: site)
        try revocations.create()
        var storage = Storage(
            policy: releases.policy(of:),
            frame: releases.frame(of:),
            revocations: revocations.dates(of:),
            revoke: revocations.add
        )
        let metadata = MetadataFile(state)
        storage.keptMetadata = metadata.read
        storage.keepMetadata = metadata.write
        return storage
    }
}
