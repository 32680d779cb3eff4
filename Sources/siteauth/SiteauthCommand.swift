import ArgumentParser

@main
struct SiteauthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siteauth",
        abstract: "Asks Microsoft Entra who is there, and tells nginx who may read what.",
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, CGICommand.self, CheckConfigCommand.self,
            GenerateSecretCommand.self, RegisterCommand.self, RevokeCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )
}
