import Testing
import UsageErrors

@Suite struct UsageErrorTests {
    private func text(_ message: String, _ arguments: [String]) -> String {
        UsageError(
            message,
            program: "sitegen",
            arguments: arguments,
            commands: ["build", "serve", "check"],
            options: ["--output", "--wait", "--drafts"],
            habits: ["--dest": "--output", "--bind": "--host"]
        ).text
    }

    @Test func `an unknown command leads to a near one, or to all there are`() {
        let usage = "\nUsage: sitegen <subcommand>\n  See 'sitegen --help' for more information."
        #expect(
            text("Error: Unexpected argument 'bild'\(usage)", ["bild"])
                == "sitegen: error: unknown command 'bild'; did you mean 'build'?\(usage)\n"
        )
        #expect(
            text("Error: Unexpected argument 'frobnicate'", ["frobnicate"])
                == "sitegen: error: unknown command 'frobnicate'; the commands are 'build', "
                + "'serve', 'check'\n"
        )
        #expect(
            text("Error: Unexpected argument 'x'", ["build", "x"])
                == "sitegen: error: unexpected argument 'x'\n"
        )
    }

    @Test(arguments: [
        ("--drafst", "--drafts"), ("--dest", "--output"), ("--bind", nil), ("--frob", nil),
    ])
    func `an unknown option leads to a near one, or to what others call it`(
        option: String,
        meant: String?
    ) {
        let hint = meant.map { "; did you mean '\($0)'?" } ?? ""
        #expect(
            text("Error: Unknown option '\(option)'. Did you mean '--wait'?", ["build", option])
                == "sitegen: error: unknown option '\(option)'\(hint)\n"
        )
    }

    @Test func `other mistakes are in the form of our errors`() {
        let message = "Error: The value 'xml' is invalid for '--format <format>'."
        #expect(
            text("\(message) Please provide one of 'text' or 'json'.", ["build"])
                == "sitegen: error: the value 'xml' is invalid for '--format <format>'; "
                + "it must be one of 'text' or 'json'\n"
        )
    }
}
