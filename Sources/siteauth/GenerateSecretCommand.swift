import ArgumentParser
import POSIX
import RelyingParty
import SiteauthConfiguration

struct GenerateSecretCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-secret",
        abstract: "Print a new cookie secret."
    )

    func run() throws {
        try StandardOutput.write(AuthConfiguration.newCookieSecret(Environment.systemRandom) + "\n")
    }
}
