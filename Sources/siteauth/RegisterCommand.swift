import Access
import ArgumentParser
import POSIX
import RelyingParty
import SiteauthConfiguration

struct RegisterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Print a shell script that registers the site in Entra.",
        discussion: """
            The script needs the Azure CLI. Read it before you run it. Its app roles are \
            those of the current release's groups.
            """
    )

    @OptionGroup var files: SiteArguments

    @Option(help: "The site's name, which readers see when they sign in.")
    var name: String

    @Option(help: "The redirect URI to register, instead of the one in the configuration.")
    var redirectURI: String?

    @Option(help: "The accounts that may sign in; used with --redirect-uri.")
    var accounts = Registration.Accounts.tenant

    @Option(help: "The credential that the script creates for the site.")
    var credential = Registration.Proof.certificate

    @Option(help: "The folder that sitegen publishes to. (default: public)")
    var site: String?

    @Flag(
        help: "Print the registration as JSON for the portal's page 'Manifest' instead of a script."
    )
    var manifest = false

    func validate() throws {
        if name.isEmpty {
            throw ValidationError("'--name' is empty; it must be the name that readers see")
        }
    }

    func run() throws {
        let registration = try registration(groups: groups())
        let text = manifest ? registration.manifestText : registration.script(credential)
        try StandardOutput.write(text)
    }

    private func registration(groups: [GroupDefinition]) throws -> Registration {
        guard let redirectURI else {
            return Registration(try files.file.read(), name: name, groups: groups)
        }
        guard let url = WebURL(redirectURI), url.path.count > 1, url.query.isEmpty else {
            throw ValidationError(
                "'--redirect-uri' is '\(redirectURI)'; it must be an https URL with a path"
            )
        }
        if let problem = url.problemOfPrefix {
            throw ValidationError("'--redirect-uri' is '\(redirectURI)'; \(problem)")
        }
        return Registration(name: name, redirectURI: url, accounts: accounts, groups: groups)
    }

    /// The groups of the current release.
    private func groups() throws -> [GroupDefinition] {
        let path = "\(files.site(site))/current/access"
        guard let bytes = try? File.read(path, maximumBytes: 64 << 20) else {
            StandardError.write(
                "siteauth: warning: '\(path)' does not exist, so no app roles are registered;"
                    + " run 'sitegen build' first\n"
            )
            return []
        }
        let policy = String(validating: bytes, as: UTF8.self).flatMap(AccessPolicy.init(text:))
        guard let policy else {
            StandardError.write("siteauth: error: '\(path)' is not an access policy\n")
            throw ExitCode.failure
        }
        return policy.groups
    }
}

extension Registration.Accounts: ExpressibleByArgument {}
extension Registration.Proof: ExpressibleByArgument {}
