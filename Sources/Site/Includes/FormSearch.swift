import Bytes

/// Finds the places where a form may begin: at `{{`, `{!`, `::include{`, `![[`, `[!`, `8<`, `<<<` or
/// `<!-- @include`.
///
/// Of most pages, no byte is looked at twice.
struct FormSearch {
    private let end: Int
    /// The next mark of each kind: a brace, an exclamation mark, a blade of scissors.
    private var next = [-1, -1, -1]

    private static let marks = [UInt8(ascii: "{"), UInt8(ascii: "!"), UInt8(ascii: "<")]

    init(upTo end: Int) { self.end = end }

    static func finds(in text: [UInt8]) -> Bool {
        var search = FormSearch(upTo: text.count)
        return search.place(in: text.span, from: 0) != nil
    }

    /// The first place at or after a position.
    mutating func place(in text: Span<UInt8>, from start: Int) -> Int? {
        var first = end
        for kind in next.indices {
            if next[kind] < start { next[kind] = find(kind, text, start) }
            first = min(first, next[kind])
        }
        return first < end ? first : nil
    }

    private func find(_ kind: Int, _ text: Span<UInt8>, _ start: Int) -> Int {
        var position = start
        while true {
            position = text.position(of: Self.marks[kind], from: position)
            guard position < end else { return end }
            switch kind {
            case 0 where text.has("{{", at: position) || text.has("{!", at: position):
                return position
            case 0 where position - start >= 9 && text.has("::include{", at: position - 9):
                return position - 9
            case 1 where text.has("[!", at: position - 1) && position > start: return position - 1
            case 1 where text.has("![[", at: position): return position
            case 2 where text.has("<<<", at: position): return position
            case 2 where text.has("<!--@", at: position) || text.has("<!-- @", at: position):
                return position
            case 2 where text.has("-8<-", at: position - 2):
                // Back to the first dash, but not over a line of dashes.
                var first = position - 2
                while first > 0, position - first < 20, text[first - 1] == Snippet.dash {
                    first -= 1
                }
                if first >= start { return first }
            default: break
            }
            position += 1
        }
    }
}
