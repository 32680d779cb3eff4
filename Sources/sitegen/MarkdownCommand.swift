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

    @Flag(help: "Let all HTML and every URL through.")
    var unsafe = false

    @Flag(
        name: [.customShort("z"), .customLong("null")],
        help: "Take several documents, separated by NUL, and separate the fragments likewise."
    )
    var null = false

    func run() throws {
        var options = MarkdownOptions()
        options.commonMarkOnly = commonmark
        options.rawHTML = `unsafe` ? .verbatim : .safe
        let markdown: [UInt8]
        do { markdown = try file.map { try File.read($0) } ?? File.readStandardInput() } catch {
            StandardError.write("sitegen: error: \(error)\n")
            throw ExitCode.inputOutput
        }
        let documents =
            null ? markdown.split(separator: 0, omittingEmptySubsequences: false) : [markdown[...]]
        for (index, document) in documents.enumerated() {
            do {
                let html = try MarkdownFragment.html(
                    Array(document),
                    options,
                    dangerousURLs: `unsafe`
                )
                try StandardOutput.write((index > 0 ? [0] : []) + html)
            } catch let refusal as RenderLimitError {
                let location = "\(file ?? "-"):\(refusal.line):1"
                StandardError.write("\(location): error: \(refusal.message)\n")
                throw ExitCode.contentErrors
            } catch {
                StandardError.write("sitegen: error: \(error)\n")
                throw ExitCode.inputOutput
            }
        }
    }
}
