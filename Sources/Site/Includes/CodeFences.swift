/// Follows the fences of code blocks, line by line.
///
/// Lists and quotations are not followed: a wrong answer only decides whether a form in a text is
/// replaced.
struct CodeFences {
    private var mark: UInt8 = 0
    private var length = 0
    private var quotes = 0
    /// The language of the open block, which may be empty; `nil` outside of code.
    private(set) var language: String?

    /// Goes over one line, without its line end.
    mutating func read(_ line: ArraySlice<UInt8>) {
        var depth = 0
        var rest = line.drop { byte in
            if byte == UInt8(ascii: ">") { depth += 1 }
            return FormReader.isSpace(byte) || byte == UInt8(ascii: ">")
        }
        if language != nil {
            let run = rest.prefix { $0 == mark }
            let isEnd = run.count >= length && rest[run.endIndex...].allSatisfy(FormReader.isSpace)
            if isEnd || depth < quotes { language = nil }
            if isEnd { return }
            if language != nil { return }
        }
        rest = rest[Self.listMarker(rest)...]
        guard let first = rest.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~")
        else { return }
        let run = rest.prefix { $0 == first }
        let words = rest[run.endIndex...]
        guard run.count > 2, first != UInt8(ascii: "`") || !words.contains(first) else { return }
        (mark, length, quotes) = (first, run.count, depth)
        let name = words.drop(while: FormReader.isSpace).prefix {
            !FormReader.isSpace($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "{")
        }
        language = String(decoding: name.prefix(40), as: UTF8.self).lowercased()
    }

    /// Where the text behind `- ` or `1. ` begins.
    static func listMarker(_ line: ArraySlice<UInt8>) -> Int {
        var rest = line
        let digits = rest.prefix { (48...57).contains($0) }.prefix(10)
        rest = rest[digits.endIndex...]
        let marks = digits.isEmpty ? "-*+" : ".)"
        guard let mark = rest.first, marks.utf8.contains(mark), let space = rest.dropFirst().first,
            FormReader.isSpace(space)
        else { return line.startIndex }
        return rest.dropFirst().drop(while: FormReader.isSpace).startIndex
    }

    /// The spans of code between backticks on a line (CommonMark, section 6.1).
    static func spans(in line: ArraySlice<UInt8>) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var index = line.startIndex
        while let start = line[index...].firstIndex(of: UInt8(ascii: "`")) {
            index = line[start...].prefix { $0 == UInt8(ascii: "`") }.endIndex
            runs.append(start..<index)
        }
        // The next run of the same length, from the last to the first.
        var later: [Int: Int] = [:]
        var partners = [Int?](repeating: nil, count: runs.count)
        for run in runs.indices.reversed() {
            partners[run] = later[runs[run].count]
            later[runs[run].count] = run
        }
        var spans: [Range<Int>] = []
        var run = 0
        while run < runs.count {
            guard let partner = partners[run] else {
                run += 1
                continue
            }
            spans.append(runs[run].lowerBound..<runs[partner].upperBound)
            run = partner + 1
        }
        return spans
    }
}
