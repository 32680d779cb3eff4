import Access
import ArgumentParser
import POSIX
import RelyingParty

struct RegisterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Prints a shell script that registers the site in Entra.",
        discussion: """
            The script needs the Azure CLI and is yours to read before you run it. App roles are
            taken from the groups of the release that sitegen published last.
            """
    )

    @OptionGroup var file: ConfigurationFile

    @Option(help: "The name that readers see when they sign in.")
    var name: String

    @Option(help: "Where Entra sends browsers back to, instead of the configuration's.")
    var redirectURI: String?

    @Option(help: "Whose people may sign in, with --redirect-uri.")
    var accounts = Registration.Accounts.tenant

    @Option(help: "What the script makes for the site to prove who it is.")
    var credential = Registration.Proof.certificate

    @Option(help: "The folder that sitegen publishes to.")
    var site = "public"

    @Flag(help: "Prints the registration as JSON, for the page 'Manifest', instead.")
    var manifest = false

    func validate() throws {
        if name.isEmpty { throw ValidationError("'--name' is empty; readers see it") }
    }

    func run() throws {
        let registration = try registration(groups: groups())
        let text = manifest ? registration.manifestText : registration.script(credential)
        try StandardOutput.write(text)
    }

    private func registration(groups: [GroupDefinition]) throws -> Registration {
        guard let redirectURI else {
            return Registration(try file.read(), name: name, groups: groups)
        }
        guard let url = WebURL(redirectURI), url.path.count > 1, url.query.isEmpty else {
            throw ValidationError(
                "'--redirect-uri' is '\(redirectURI)'; it must be an https URL with a path"
            )
        }
        return Registration(name: name, redirectURI: url, accounts: accounts, groups: groups)
    }

    /// Those of the current release.
    private func groups() throws -> [GroupDefinition] {
        let path = "\(site)/current/access"
        guard let bytes = try? File.read(path, maximumBytes: 64 << 20) else {
            StandardError.write(
                "siteauth: warning: '\(path)' is not there, so there are no app roles in it;"
                    + " 'sitegen build' publishes the groups\n"
            )
            return []
        }
        let policy = String(validating: bytes, as: UTF8.self).flatMap(AccessPolicy.init(text:))
        guard let policy else {
            StandardError.write("siteauth: error: '\(path)' is no access policy\n")
            throw ExitCode.failure
        }
        return policy.groups
    }
}

extension Registration.Accounts: ExpressibleByArgument {}
extension Registration.Proof: ExpressibleByArgument {}
