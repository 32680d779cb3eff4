import Bytes
import CodeBlocks

/// The headings of a text and its blocks of code, by their lines: what has to be known of a text into
/// which others are put.
package struct TextOutline: Sendable {
    package struct Heading: Sendable {
        /// From 1.
        package let line: Int
        package let level: Int
        /// With its markup, without the id that its author gave it.
        package let text: String
    }

    package private(set) var headings: [Heading] = []
    /// In the order of the text, with the language in small letters; empty without one.
    private var code: [(lines: ClosedRange<Int>, language: String)] = []

    /// A text that is too hard to read has neither: whoever renders it gets the error.
    package init(_ text: [UInt8]) {
        var options = MarkdownOptions()
        options.borrowedBlocks = true
        guard let tree = try? BlockParser.parse(SourceText(text), options) else { return }
        var headings: [Heading] = []
        var code: [(lines: ClosedRange<Int>, language: String)] = []
        tree.walk { block, entering in
            switch block.details {
            case .heading(let level, _) where entering:
                let text = String(decoding: block.text.bytes, as: UTF8.self)
                headings.append(Heading(line: block.line, level: level, text: text))
            case .code(let info) where entering:
                let language = CodeLanguage.name(inInfo: info)?.lowercased() ?? ""
                code.append((block.line...max(block.line, block.endLine), language))
            default: break
            }
        }
        (self.headings, self.code) = (headings, code)
    }

    /// The language of the block of code that a line belongs to, its fences included; `nil` outside
    /// of code.
    package func codeLanguage(ofLine line: Int) -> String? {
        var (low, high) = (0, code.count)
        while low < high {
            let middle = (low + high) / 2
            if code[middle].lines.upperBound < line { low = middle + 1 } else { high = middle }
        }
        return low < code.count && code[low].lines.contains(line) ? code[low].language : nil
    }
}
