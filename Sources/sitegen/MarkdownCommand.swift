import ArgumentParser
import Markdown
import POSIX

struct MarkdownCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "markdown",
        abstract: "Render one document to an HTML fragment on standard output."
    )

    @Argument(help: "The Markdown file (default: standard input).")
    var file: String?

    @Flag(help: "Follow the CommonMark specification, without extensions.")
    var commonmark = false

    @Flag(help: "Keep all HTML and every URL.")
    var unsafe = false

    @Flag(
        name: [.customShort("z"), .customLong("null")],
        help: "Read several documents separated by NUL, and separate the fragments by NUL."
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
