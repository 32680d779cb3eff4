import ArgumentParser
import UsageErrors
import Version

@main
struct SiteauthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siteauth",
        abstract: "Sign readers in with Microsoft Entra or another OpenID provider, for nginx.",
        version: Version.current,
        subcommands: [
            ServeCommand.self, CGICommand.self, CheckConfigCommand.self,
            GenerateSecretCommand.self, RegisterCommand.self, RevokeCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )

    static func main() {
        requireCommandLine()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            exit(reporting: error)
        }
    }
}
