import Diagnostics

/// The tags of a template's text, with their places.
///
/// The parser of Mustache reports where it stopped, which may be far behind the mistake, and it
/// accepts names of templates that do not exist.
struct TemplateTags {
    /// A tag `{{>name}}` or `{{<name}}`, or one that is wrong.
    struct Tag {
        /// The template or section that the tag names.
        let name: String
        let line: Int
        /// In bytes, from 1.
        let column: Int
    }

    /// Tags that include another template.
    private(set) var inclusions: [Tag] = []
    /// The last tag, if its end is missing.
    private(set) var unfinished: Tag?
    /// The first tag that closes a section although none is open.
    private(set) var unopened: Tag?

    init(_ text: String) {
        var (open, close) = ("{{", "}}")
        var sections = 0
        var position = text.startIndex
        while let start = text[position...].firstRange(of: open) {
            guard let end = text[start.upperBound...].firstRange(of: close) else {
                unfinished = Self.tag("", at: start.lowerBound, in: text)
                return
            }
            let inside = text[start.upperBound..<end.lowerBound]
            let name = String(inside.dropFirst().split(whereSeparator: \.isWhitespace).first ?? "")
            let tag = Self.tag(name, at: start.lowerBound, in: text)
            switch inside.first {
            case "#", "^", "$": sections += 1
            case "<":
                sections += 1
                inclusions.append(tag)
            case ">": inclusions.append(tag)
            case "/":
                sections -= 1
                if sections < 0, unopened == nil { unopened = tag }
            case "=":
                // `{{=<% %>=}}` changes the delimiters.
                let delimiters = inside.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
                if delimiters.count == 2 {
                    (open, close) = (String(delimiters[0]), String(delimiters[1]))
                }
            default: break
            }
            position = end.upperBound
        }
        // A name that begins with `*` is that of a value.
        inclusions.removeAll { $0.name.hasPrefix("*") }
    }

    private static func tag(_ name: String, at start: String.Index, in text: String) -> Tag {
        let before = text.utf8[..<start]
        let lineStart = before.lastIndex(of: 10).map(before.index(after:)) ?? before.startIndex
        return Tag(
            name: name,
            line: 1 + before.count { $0 == 10 },
            column: 1 + before.distance(from: lineStart, to: start)
        )
    }
}
