import Diagnostics

/// A text that reads like a rule of access, such as `access: [hr]`.
///
/// sitegen refuses a page with such a line outside of front matter, in case somebody meant to protect
/// it. In a text of another system nobody did, so that the word becomes code.
enum AccessRule {
    /// Where the word `access` or a slip of it stands, in front of a mark such as a colon.
    static func word(in text: String) -> Range<String.Index>? {
        guard text.utf8.count > 4 else { return nil }
        var isFirst = true
        var start = text.startIndex
        while let first = text[start...].firstIndex(where: isLetter) {
            let word = text[first...].prefix(while: isLetter)
            let name = word.lowercased()
            let rest = text[word.endIndex...].prefix(4)
            let isRule = rest.contains { ":=[|".contains($0) } || word.endIndex == text.endIndex
            let isAlone = isFirst && word.endIndex == text.endIndex
            if name == "access", isRule, !word.endsLine || isAlone { return first..<word.endIndex }
            if isFirst, isRule, (5...8).contains(name.count), !word.endsLine,
                NearestName.distance(name, "access") <= 2
            {
                return first..<word.endIndex
            }
            isFirst = false
            start = word.endIndex
        }
        return nil
    }

    private static func isLetter(_ character: Character) -> Bool {
        character.isASCII && character.isLetter
    }
}

extension Substring {
    fileprivate var endsLine: Bool { endIndex == base.endIndex }
}
