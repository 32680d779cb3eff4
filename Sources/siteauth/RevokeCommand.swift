import Access
import ArgumentParser
import Diagnostics
import POSIX
import RelyingParty

struct RevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End the present sessions of one account, of a group or of everybody.",
        discussion: """
            A reader who still has access can sign in again. To lock an account out, disable it in \
            Entra, or remove its role, and then end its sessions here.
            """
    )

    @OptionGroup var site: SiteArguments

    @Option(help: "The folder with the list of ended sessions, as for 'serve'. (default: state)")
    var state: String?

    @Option(
        help: ArgumentHelp(
            "End the sessions of the account with this object id.",
            valueName: "object id"
        )
    )
    var user: String?

    @Option(
        help: ArgumentHelp(
            "The tenant of the account; without this option, the object id counts in all tenants.",
            valueName: "tenant id"
        )
    )
    var tenant: String?

    @Option(
        help: ArgumentHelp(
            "End the sessions of readers who are in this group of the site.",
            valueName: "name"
        )
    )
    var group: String?

    @Flag(help: "End the sessions of everybody.")
    var all = false

    func validate() throws {
        guard [all, user != nil, group != nil].count(where: \.self) == 1 else {
            throw ValidationError(
                "one of '--user <object id>', '--group <name>' and '--all' is required"
            )
        }
        if let group, !GroupDefinition.isName(group) || ["public", "signed-in"].contains(group) {
            throw ValidationError("'--group' is '\(group)'; it must be a group of sitegen.toml")
        }
        guard tenant == nil || user != nil else {
            throw ValidationError("'--tenant' requires '--user'")
        }
        if let tenant, tenant.isEmpty { throw ValidationError("'--tenant' is empty") }
        if let user, user.isEmpty || user.contains("@") {
            throw ValidationError("'--user' is '\(user)'; it must be the account's object id")
        }
    }

    func run() throws {
        Signals.ignoreBrokenPipes()
        let configuration = try site.file.read()
        if let problem = configuration.problem(ofAccount: user, tenant: tenant) {
            StandardError.write("siteauth: error: \(problem)\n")
            throw ExitCode.validationFailure
        }
        let list = configuration.revocationList(state: site.state(state)) { level, text in
            StandardError.write("siteauth: \(level): \(text)\n")
        }
        guard let list else { throw ExitCode.failure }
        let account = user.map { Revocation.account(spelled: $0, tenant: tenant) }
        let revocation = account ?? group.map(Revocation.group) ?? .everybody
        // All, though one fails: this machine keeps what Redis does not take.
        let problem = revocation.names.compactMap { Self.add($0, to: list) }.first
        log(revocation, isComplete: problem == nil)
        if let problem {
            StandardError.write(
                "siteauth: error: the list of ended sessions cannot be written\(problem)\n"
            )
            throw ExitCode.failure
        }
        try StandardOutput.write("All present sessions of \(revocation) have ended.\n")
        // It is on the list anyway: another machine may serve another release.
        if let problem = problemOfGroup {
            StandardError.write("siteauth: error: \(problem)\n")
            throw ExitCode.failure
        }
    }

    private func log(_ revocation: Revocation, isComplete: Bool) {
        let result = isComplete ? "have ended" : "were to end, which is not written everywhere"
        // A hint, which the caller can set.
        let caller = Host.environment["SUDO_USER"].map { ", by \($0)" } ?? ""
        let text = "all present sessions of \(revocation) \(result)\(caller)"
        SystemLog.write(Event.printable(text, maximumLength: 1000), as: "siteauth")
    }

    /// Why nobody may be in the group, if it is known what groups there are.
    private var problemOfGroup: String? {
        guard let group, site.name != nil, let releases = try? ReleaseFiles(site: site.site(nil)),
            let groups = releases.current().flatMap(releases.policy)?.groups.map(\.name),
            !groups.contains(group)
        else { return nil }
        let hint = NearestName.hint(group, in: groups)
        return "the current release has no group '\(group)'\(hint)"
    }

    /// - Returns: why the revocation is not on the list, or `nil`.
    private static func add(_ name: String, to list: any RevocationList) -> String? {
        guard let folder = list as? RevocationFolder else {
            return list.add(name) ? nil : ""
        }
        do throws(SystemError) {
            try folder.record(name)
            return nil
        } catch {
            return
                ": \(error); '--state' must name the folder that 'siteauth serve' uses, and this "
                + "account must be able to write there; links below it are not followed"
        }
    }
}
