import Bytes
import HTML

/// The text of a heading, as its readers see it: the one that titles, ids, navigation, contents,
/// search and messages have.
///
/// It is read off the heading's HTML, which alone knows which tags became text.
enum HeadingText {
    static func of(_ html: ArraySlice<UInt8>) -> [UInt8] {
        let html = Array(html)
        let isMarked = html.contains {
            $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") || $0 == .newline
        }
        guard isMarked else { return html }
        var text: [UInt8] = []
        var tokenizer = HTMLTokenizer(html)
        /// Whether the number of a footnote is passed over.
        var isInNote = false
        while let token = tokenizer.next() {
            switch token {
            case .text(let range) where !isInNote:
                append(html[range], to: &text)
            case .startTag(let tag):
                func value(_ name: String) -> String? {
                    tag.attributes.first { $0.name == name }?.value
                }
                switch tag.name {
                case "br": separate(&text)
                case "img":
                    for byte in (value("alt") ?? "").utf8 {
                        byte.isWhitespace ? separate(&text) : text.append(byte)
                    }
                case "sup": isInNote = isInNote || value("class") == "footnote-ref"
                default: break
                }
            case .endTag("sup", _): isInNote = false
            default: break
            }
        }
        return text
    }

    private static func append(_ shown: ArraySlice<UInt8>, to text: inout [UInt8]) {
        var rest = shown
        // Most texts have no reference, and need no copy.
        if shown.contains(UInt8(ascii: "&")) {
            rest = ArraySlice(HTMLAttributeText.decoded(shown).utf8)
        }
        while let end = rest.firstIndex(where: \.isLineEnd) {
            text += rest[..<end]
            separate(&text)
            rest = rest[(end + 1)...]
        }
        text += rest
    }

    /// A line break counts as a space.
    private static func separate(_ text: inout [UInt8]) {
        if text.last != .space { text.append(.space) }
    }
}
