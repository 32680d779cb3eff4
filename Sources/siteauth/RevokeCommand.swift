import ArgumentParser
import POSIX
import RelyingParty

struct RevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Ends the sessions that are there now, of one account or of everybody.",
        discussion: """
            Whoever may still come in signs in again. To keep somebody out, disable the account in \
            Entra, or take its role away, and end its sessions here.
            """
    )

    @OptionGroup var file: ConfigurationFile

    @Option(help: "The folder for the list of ended sessions, as for 'serve'.")
    var state = "state"

    @Option(help: ArgumentHelp("An account's object id.", valueName: "object id"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "The tenant that the account is from; without it, that object id in all of them.",
            valueName: "tenant id"
        )
    )
    var tenant: String?

    @Flag(help: "Everybody.")
    var all = false

    func validate() throws {
        guard (user != nil) != all else {
            throw ValidationError("either '--user <object id>' or '--all' says whose sessions end")
        }
        guard tenant == nil || user != nil else {
            throw ValidationError("'--tenant' says where the account of '--user' is from")
        }
        if let tenant, tenant.isEmpty { throw ValidationError("'--tenant' is empty") }
        if let user, user.isEmpty || user.contains("@") {
            throw ValidationError("'--user' is '\(user)'; it must be the account's object id")
        }
    }

    func run() throws {
        Signals.ignoreBrokenPipes()
        let configuration = try file.read()
        if let problem = configuration.problem(ofAccount: user, tenant: tenant) {
            StandardError.write("siteauth: error: \(problem)\n")
            throw ExitCode.validationFailure
        }
        let list = RevocationList(configuration, state: state) { level, text in
            StandardError.write("siteauth: \(level): \(text)\n")
        }
        let revocation = user.map { .account(spelled: $0, tenant: tenant) } ?? Revocation.everybody
        guard list.add(revocation.name) else {
            let remedy = "'--state' names the folder that 'siteauth serve' uses"
            StandardError.write("siteauth: error: nothing could be written down; \(remedy)\n")
            throw ExitCode.failure
        }
        try StandardOutput.write(
            "The sessions of \(revocation) that began before now have ended.\n"
        )
    }
}
