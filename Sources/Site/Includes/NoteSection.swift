import SourceFolder

/// Finds a heading with what belongs to it: down to the next heading of its level or above.
enum NoteSection {
    private typealias Heading = (start: Int, level: Int, words: String)

    /// - Parameter words: of the headings above it, and of the heading itself.
    static func range(in text: [UInt8], _ words: [String]) -> Range<Int>? {
        let headings = headings(in: text)
        var section = headings.indices
        var found: Int?
        for word in words {
            if let found {
                section = found + 1..<end(of: found, headings, in: section)
            }
            let wanted = letters(word)
            guard let next = section.first(where: { headings[$0].words == wanted }) else {
                return nil
            }
            found = next
        }
        guard let found else { return nil }
        let end = end(of: found, headings, in: headings.indices)
        return headings[found].start..<(end < headings.count ? headings[end].start : text.count)
    }

    private static func end(of heading: Int, _ all: [Heading], in range: Range<Int>) -> Int {
        (heading + 1..<max(heading + 1, range.upperBound))
            .first { all[$0].level <= all[heading].level } ?? range.upperBound
    }

    private static func headings(in text: [UInt8]) -> [Heading] {
        var headings: [Heading] = []
        var fences = CodeFences()
        var position = 0
        var above: TextLine?
        while let line = TextLine(text.span, at: position) {
            position = line.next
            let words = text[line.range]
            let isCode = fences.language != nil
            fences.read(words)
            if isCode || fences.language != nil {
                above = nil
                continue
            }
            let marks = words.prefix { $0 == UInt8(ascii: "#") }
            if (1...6).contains(marks.count),
                words[marks.endIndex...].first.map(FormReader.isSpace) ?? true
            {
                let title = String(decoding: words[marks.endIndex...], as: UTF8.self)
                headings.append((line.range.lowerBound, marks.count, letters(title)))
            } else if let title = above, let mark = words.first,
                mark == UInt8(ascii: "=") || mark == UInt8(ascii: "-"),
                words.allSatisfy({ $0 == mark || FormReader.isSpace($0) })
            {
                let text = String(decoding: text[title.range], as: UTF8.self)
                let level = mark == UInt8(ascii: "=") ? 1 : 2
                headings.append((title.range.lowerBound, level, letters(text)))
            }
            above = words.contains { !FormReader.isSpace($0) } ? line : nil
        }
        return headings
    }

    /// The letters and digits alone, without case.
    private static func letters(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
