import Bytes
import CommonMark

/// Entities and numeric characters, `&auml;` and `&#228;` (CommonMark 0.30, section 2.5).
package enum CharacterReference {
    /// The character that begins with the `&` at `start`, and where what follows begins.
    package static func read(
        _ bytes: ArraySlice<UInt8>,
        at start: Int
    ) -> (text: ArraySlice<UInt8>, end: Int)? {
        let limit = min(bytes.endIndex, start + 34)
        var end = start + 1
        while end < limit, bytes[end].isLetterOrDigit || bytes[end] == UInt8(ascii: "#") {
            end += 1
        }
        guard end < limit, bytes[end] == UInt8(ascii: ";"), end > start + 1 else { return nil }
        let source = bytes[start...end]
        for (name, text) in frequent where source.elementsEqual(name.utf8) {
            return (Array(text.utf8)[...], end + 1)
        }
        guard let text = decoded(source) else { return nil }
        return (text, end + 1)
    }

    private static let frequent = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{A0}"),
    ]

    /// libcmark knows the two thousand names of HTML, so a document with the reference is parsed.
    private static func decoded(_ source: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var text: [UInt8] = []
        Document(Array(source)).walk { node, entering in
            if entering, node.kind == .text { text += Array(node.literal.utf8) }
        }
        return text[...] == source ? nil : text[...]
    }

    /// The text with its references and, where wanted, its backslash escapes resolved.
    package static func resolved(_ bytes: ArraySlice<UInt8>, escapes: Bool) -> String {
        let mayHoldSome =
            bytes.contains(UInt8(ascii: "&")) || escapes && bytes.contains(UInt8(ascii: "\\"))
        if !mayHoldSome { return String(decoding: bytes, as: UTF8.self) }
        var text: [UInt8] = []
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            if byte == UInt8(ascii: "&"), let (character, end) = read(bytes, at: position) {
                text += character
                position = end
                continue
            }
            if escapes, byte == UInt8(ascii: "\\"), position + 1 < bytes.endIndex,
                bytes[position + 1].isPunctuation
            {
                position += 1
            }
            text.append(bytes[position])
            position += 1
        }
        return String(decoding: text, as: UTF8.self)
    }
}
