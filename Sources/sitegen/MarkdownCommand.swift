import ArgumentParser
import Markdown
import POSIX

struct MarkdownCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "markdown",
        abstract: "Renders one document to an HTML fragment on standard output."
    )

    @Argument(help: "A Markdown file; standard input where there is none.")
    var file: String?

    @Flag(help: "Nothing beyond the CommonMark specification.")
    var commonmark = false

    @Flag(help: "Let raw HTML and every URL through.")
    var unsafe = false

    func run() throws {
        var options = MarkdownOptions()
        options.commonMarkOnly = commonmark
        options.rawHTML = `unsafe`
        do {
            let markdown = try file.map { try File.read($0) } ?? File.readStandardInput()
            try StandardOutput.write(
                MarkdownFragment.html(markdown, options, dangerousURLs: `unsafe`)
            )
        } catch {
            StandardError.write("sitegen: error: \(error)\n")
            throw ExitCode.inputOutput
        }
    }
}
