import ArgumentParser
import EntraEmulator
import POSIX
import UsageErrors
import Version

@main
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entra-emulator",
        abstract: "Emulate Microsoft Entra on this machine, for tests and demos.",
        version: Version.current,
        subcommands: [ServeCommand.self, InitCommand.self],
        defaultSubcommand: ServeCommand.self
    )

    static func main() async { await runOrExit() }
}

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Print the built-in tenants file; change it and pass it to 'serve --tenants'."
    )

    func run() throws { try StandardOutput.write(Directory.builtIn) }
}
