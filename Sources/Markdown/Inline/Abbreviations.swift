import Bytes
import HTML

/// What abbreviations of a page mean, as PHP Markdown Extra defines them: `*[HR]: Human Resources`.
struct Abbreviations {
    /// The meanings by abbreviation, and those that begin with a byte, the longest first.
    private var meanings: [[UInt8]: String] = [:]
    private var byFirstByte: [UInt8: [[UInt8]]] = [:]

    private static let maximumCount = 1000
    /// A longer meaning, repeated at each word, would blow up a page.
    private static let maximumMeaning = 300

    var isEmpty: Bool { meanings.isEmpty }

    /// Reads a definition.
    ///
    /// - Parameter line: behind the marks of containers.
    static func definition(_ line: ArraySlice<UInt8>) -> (name: [UInt8], meaning: [UInt8])? {
        guard line.starts(with: "*[".utf8), let end = line.firstIndex(of: UInt8(ascii: "]")),
            line[(end + 1)...].starts(with: ": ".utf8)
        else { return nil }
        let name = Array(line[(line.startIndex + 2)..<end])
        let meaning = line[(end + 2)...].trimmed(where: \.isSpaceOrTab)
        guard !name.isEmpty, name.count <= 100, !meaning.isEmpty,
            meaning.count <= maximumMeaning
        else { return nil }
        return (name, Array(meaning))
    }

    mutating func define(_ name: [UInt8], _ meaning: [UInt8]) {
        guard let first = name.first, meanings[name] == nil, meanings.count < Self.maximumCount
        else { return }
        meanings[name] = String(decoding: meaning, as: UTF8.self)
        byFirstByte[first, default: []].append(name)
        byFirstByte[first]?.sort { $0.count > $1.count }
    }

    /// Appends a text to HTML, escaped, with an element around each abbreviation that is a word.
    func append(_ text: Span<UInt8>, to html: inout [UInt8]) {
        var written = 0
        var index = 0
        while index < text.count {
            let isStart = index == 0 || !text[index - 1].isPartOfWord
            if isStart,
                let name = byFirstByte[text[index]]?.first(where: {
                    stands($0, in: text, at: index)
                })
            {
                HTMLText.escape(text.extracting(written..<index), into: &html)
                html += "<abbr title=\"\(HTMLText.escape(meanings[name] ?? ""))\">".utf8
                HTMLText.escape(name.span, into: &html)
                html += "</abbr>".utf8
                index += name.count
                written = index
            } else {
                index += 1
            }
        }
        HTMLText.escape(text.extracting(written..<text.count), into: &html)
    }

    private func stands(_ name: [UInt8], in text: Span<UInt8>, at start: Int) -> Bool {
        guard start + name.count <= text.count else { return false }
        for offset in name.indices where text[start + offset] != name[offset] { return false }
        let end = start + name.count
        return end == text.count || !text[end].isPartOfWord
    }
}
