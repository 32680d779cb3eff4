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

    @Flag(help: "Everybody.")
    var all = false

    func validate() throws {
        guard (user != nil) != all else {
            throw ValidationError("either '--user <object id>' or '--all' says whose sessions end")
        }
        if let user, user.isEmpty || user.contains("@") {
            throw ValidationError("'--user' is '\(user)'; it must be the account's object id")
        }
    }

    func run() throws {
        Signals.ignoreBrokenPipes()
        let list = RevocationList(try file.read(), state: state) { reason in
            StandardError.write("siteauth: error: \(reason)\n")
        }
        let revocation = user.map { Revocation.account(spelled: $0) } ?? .everybody
        guard list.add(revocation.name) else {
            let remedy = "'--state' names the folder that 'siteauth serve' uses"
            StandardError.write("siteauth: error: nothing could be written down; \(remedy)\n")
            throw ExitCode.failure
        }
        let whose = user.map { "of '\($0)'" } ?? "of everybody"
        try StandardOutput.write("The sessions \(whose) that began before now have ended.\n")
    }
}
