import ArgumentParser
import POSIX
import RelyingParty

struct CheckConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Reads the configuration, reports every problem, and says what Entra has to know."
    )

    @OptionGroup var file: ConfigurationFile

    func run() throws {
        let configuration = try file.read()
        try StandardOutput.write(
            """
            The configuration is complete. In the Entra portal, the app registration needs:
              Authentication, platform Web, redirect URIs
                \(configuration.redirectURI.text)
                \(configuration.origin)/auth/signed-out
              Token configuration, optional claims of the ID token
                sid, login_hint
              Authentication, implicit grant and hybrid flows
                nothing ticked
            The discovery document is read from
                \(configuration.metadataURL.text)

            """
        )
    }
}
