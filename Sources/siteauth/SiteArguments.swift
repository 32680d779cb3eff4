import ArgumentParser
import POSIX

/// The site that an administrator's command is about: one of this server by its name, or any site by
/// the paths of its files.
struct SiteArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A site of this server, whose files are then the defaults of the options.",
            discussion: """
                For 'docs', they are /etc/siteauth/docs/secrets.toml, /srv/docs/public and \
                /var/lib/siteauth/docs, as for siteauth@docs.service.
                """,
            valueName: "name"
        )
    )
    var name: String?

    @Option(
        name: .shortAndLong,
        help: "The file with the [auth] table. (default: secrets.toml)"
    )
    var config: String?

    func validate() throws {
        guard let name else { return }
        // The name is part of the account 'siteauth-docs', which has 31 characters at most.
        let isPlain = name.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte) || byte == 45
        }
        guard isPlain, (1...22).contains(name.utf8.count), !name.hasPrefix("-") else {
            let rule = "it must be lower-case letters, digits and hyphens, at most 22, as in 'docs'"
            throw ValidationError("'\(name)' is not the name of a site; \(rule)")
        }
    }

    var file: ConfigurationFile {
        guard let name else {
            return ConfigurationFile(path: config ?? ConfigurationFile.defaultPath)
        }
        var file = ConfigurationFile(path: config ?? "/etc/siteauth/\(name)/secrets.toml")
        file.isOfService = true
        // systemd shows them while the service runs.
        let credentials = "/run/credentials/siteauth@\(name).service"
        if (try? FileStatus(of: credentials)) != nil { file.credentials = credentials }
        return file
    }

    /// The folder that sitegen publishes to.
    func site(_ option: String?) -> String {
        option ?? name.map { "/srv/\($0)/public" } ?? "public"
    }

    /// The folder with the list of ended sessions.
    func state(_ option: String?) -> String {
        option ?? name.map { "/var/lib/siteauth/\($0)" } ?? "state"
    }
}
