import Markdown
import SourceFolder

/// Finds a heading with what belongs to it: down to the next heading of its level or above.
enum NoteSection {
    private typealias Heading = TextOutline.Heading

    /// - Parameter words: of the headings above it, and of the heading itself.
    static func range(in text: [UInt8], _ words: [String]) -> Range<Int>? {
        let headings = TextOutline(text).headings
        var section = headings.indices
        var found: Int?
        for word in words {
            if let found {
                section = found + 1..<end(of: found, headings, in: section)
            }
            let wanted = letters(word)
            guard let next = section.first(where: { letters(headings[$0].text) == wanted }) else {
                return nil
            }
            found = next
        }
        guard let found else { return nil }
        let end = end(of: found, headings, in: headings.indices)
        let last = end < headings.count ? headings[end].line : Int.max
        return start(of: headings[found].line, in: text)..<start(of: last, in: text)
    }

    private static func end(of heading: Int, _ all: [Heading], in range: Range<Int>) -> Int {
        (heading + 1..<max(heading + 1, range.upperBound))
            .first { all[$0].level <= all[heading].level } ?? range.upperBound
    }

    /// The first byte of a line; the end of the text if it has no such line.
    private static func start(of line: Int, in text: [UInt8]) -> Int {
        var position = 0
        for _ in 1..<line {
            guard let found = TextLine(text.span, at: position) else { break }
            position = found.next
        }
        return position
    }

    /// The letters and digits alone, without case.
    private static func letters(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
