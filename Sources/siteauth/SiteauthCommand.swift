import ArgumentParser

@main
struct SiteauthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siteauth",
        abstract: "Sign readers in with Microsoft Entra or another OpenID provider, for nginx.",
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, CGICommand.self, CheckConfigCommand.self,
            GenerateSecretCommand.self, RegisterCommand.self, RevokeCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )
}
