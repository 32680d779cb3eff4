import Foundation
import Testing

/// An example of a specification, from a file beside this one.
struct SpecificationExample: Sendable, CustomTestStringConvertible {
    let number: Int
    /// The extensions that the specification names for it.
    let extensions: [String]
    let markdown: String
    let html: String

    var testDescription: String { "example \(number)" }

    static func read(_ name: String) -> [SpecificationExample] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let examples = text.replacing("→", with: "\t").components(separatedBy: "<<<<<<<< markdown")
        return examples.dropFirst().enumerated().map { index, example in
            let halves = example.components(separatedBy: ">>>>>>>> html\n")
            let lines = halves[0].split(
                separator: "\n",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            return SpecificationExample(
                number: index + 1,
                extensions: lines[0].split(separator: " ").map(String.init),
                markdown: String(lines[1]),
                html: halves[1]
            )
        }
    }
}
