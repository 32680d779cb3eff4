import Foundation
import Markdown
import Testing

@Suite struct CommonMarkSpecificationTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let number: Int
        let markdown: String
        let html: String
        var testDescription: String { "example \(number)" }
    }

    static let examples: [Example] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "commonmark-0.30-examples.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let examples = text.replacing("→", with: "\t").components(
            separatedBy: "<<<<<<<< markdown\n"
        )
        return examples.dropFirst().enumerated().map { index, example in
            let halves = example.components(separatedBy: ">>>>>>>> html\n")
            return Example(number: index + 1, markdown: halves[0], html: halves[1])
        }
    }()

    @Test func `all 652 examples are there`() { #expect(Self.examples.count == 652) }

    @Test(arguments: examples)
    func `every example of CommonMark 0.30`(example: Example) throws {
        var options = MarkdownOptions()
        options.commonMarkOnly = true
        options.rawHTML = true
        let html = try MarkdownFragment.html(
            Array(example.markdown.utf8),
            options,
            dangerousURLs: true
        )
        #expect(String(decoding: html, as: UTF8.self) == example.html)
    }
}
