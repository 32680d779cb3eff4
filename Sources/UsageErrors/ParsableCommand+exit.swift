import ArgumentParser
import POSIX

extension ParsableCommand {
    /// Ends a program that could not read its command line, or whose command threw an error.
    ///
    /// Help and version are printed as ArgumentParser does it, and an `ExitCode` ends the program
    /// without another word.
    ///
    /// - Parameter habits: options of other programs, with ours for the same purpose.
    public static func exit(reporting error: any Error, habits: [String: String] = [:]) -> Never {
        let code = exitCode(for: error)
        if code == .success || error is ExitCode { exit(withError: error) }
        let arguments = Array(CommandLine.arguments.dropFirst())
        let usage = UsageError(
            fullMessage(for: error),
            program: _commandName,
            arguments: arguments,
            commands: configuration.subcommands.map { $0._commandName },
            options: options(of: arguments),
            habits: habits
        )
        StandardError.write(usage.text, .error)
        exit(withError: code)
    }

    /// The options of the command that the first arguments name.
    private static func options(of arguments: [String]) -> [String] {
        var command: any ParsableCommand.Type = self
        for argument in arguments {
            let named = command.configuration.subcommands.first { $0._commandName == argument }
            guard let named else { break }
            command = named
        }
        command = command.configuration.defaultSubcommand ?? command
        let help = helpMessage(for: command)
        return help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }
            .filter { $0.hasPrefix("--") && $0.count > 2 }.map(String.init)
    }
}

extension ParsableCommand {
    /// Ends a program that does not know its command line: it would do something else than it was
    /// told, such as print its help and report success.
    ///
    /// Swift's runtime reads the command line from `/proc`, which takes a file descriptor.
    public static func requireCommandLine() {
        guard CommandLine.arguments.isEmpty else { return }
        StandardError.write(
            "\(_commandName): error: the command line cannot be read from /proc\n",
            .error
        )
        // EX_OSERR
        exit(withError: ExitCode(71))
    }
}

extension AsyncParsableCommand {
    /// Runs the command that the command line names; an error ends the program.
    ///
    /// - Parameter habits: options of other programs, with ours for the same purpose.
    public static func runOrExit(habits: [String: String] = [:]) async {
        requireCommandLine()
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            exit(reporting: error, habits: habits)
        }
    }
}
