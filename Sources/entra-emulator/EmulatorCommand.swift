import ArgumentParser
import EntraEmulator
import POSIX

@main
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entra-emulator",
        abstract: "Stands in for Microsoft Entra on this machine, and on no other.",
        version: "0.1.0",
        subcommands: [ServeCommand.self, InitCommand.self],
        defaultSubcommand: ServeCommand.self
    )
}

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract:
            "Prints the built-in file of tenants, to be changed and given to 'serve --tenants'."
    )

    func run() throws { try StandardOutput.write(Directory.builtIn) }
}
