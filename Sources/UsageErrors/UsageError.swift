import Diagnostics

/// A mistake in a command line, in the form of all other errors: `sitegen: error: …`.
///
/// ArgumentParser writes `Error: Unknown option '--dest'. Did you mean '--wait'?`: another form than
/// that of our diagnostics, and a suggestion however far away it is.
public struct UsageError: Sendable {
    /// The error, then the usage, as it is printed.
    public let text: String

    /// - Parameters:
    ///   - fullMessage: ArgumentParser's, with the usage below the first line.
    ///   - arguments: of the command line, without the program.
    ///   - commands: names of the program's commands.
    ///   - options: names of the options that the command has, such as `--output`.
    ///   - habits: options of other programs, with ours for the same purpose.
    public init(
        _ fullMessage: String,
        program: String,
        arguments: [String],
        commands: [String],
        options: [String],
        habits: [String: String] = [:]
    ) {
        let lines = fullMessage.split(
            separator: "\n",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let first = lines.first.map(String.init) ?? ""
        let usage = lines.count > 1 ? "\n\(lines[1])" : ""
        var message = first.hasPrefix("Error: ") ? String(first.dropFirst(7)) : first
        if let command = arguments.first, message == "Unexpected argument '\(command)'",
            !commands.contains(command)
        {
            let hint = NearestName.hint(command, in: commands)
            let names = commands.map { "'\($0)'" }.joined(separator: ", ")
            message = "unknown command '\(command)'"
            message += hint.isEmpty ? "; the commands are \(names)" : hint
        } else if let option = Self.unknownOption(in: message) {
            let habit = habits[option].flatMap { options.contains($0) ? $0 : nil }
            let near = habit ?? NearestName.of(option, in: options)
            message = "unknown option '\(option)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
        }
        text = "\(program): error: \(Self.inOurForm(message))\(usage)\n"
    }

    /// The option in `Unknown option '--dest'. Did you mean '--wait'?`.
    private static func unknownOption(in message: String) -> String? {
        let start = "Unknown option '"
        guard message.hasPrefix(start) else { return nil }
        return String(message.dropFirst(start.count).prefix { $0 != "'" })
    }

    /// Lower case at the beginning, and no full stop.
    private static func inOurForm(_ message: String) -> String {
        var message = message.prefix(1).lowercased() + message.dropFirst()
        message.replace(". Please provide one of ", with: "; it must be one of ")
        message.replace(". Did you mean ", with: "; did you mean ")
        return message.hasSuffix(".") ? String(message.dropLast()) : message
    }
}
