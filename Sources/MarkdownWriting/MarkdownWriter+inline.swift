import HTML

extension MarkdownWriter {
    static func isInline(_ name: String) -> Bool {
        switch SafeElement(name)?.kind {
        case .text, .link: true
        default: name == "font" || name == "label"
        }
    }

    /// Elements whose tags are written as they are, without attributes.
    private static let tags: Set<String> = [
        "ins", "kbd", "mark", "samp", "small", "sub", "sup", "u", "var",
    ]

    /// The marks of Markdown, and the tag where these would not be understood.
    private static let emphasis: [String: (mark: String, tag: String)] = [
        "strong": ("**", "strong"), "b": ("**", "strong"), "em": ("*", "em"), "i": ("*", "em"),
        "del": ("~~", "del"), "s": ("~~", "del"), "strike": ("~~", "del"),
    ]

    package func isInline(_ piece: Markup) -> Bool {
        switch piece.kind {
        case .text, .inline: true
        case .element(let name):
            Self.isInline(name) && piece.children.allSatisfy(isInline)
        default: false
        }
    }

    private struct Piece {
        var text: String
        var emphasis: (mark: String, tag: String)?
    }

    /// - Parameter lineBreak: what ends a line within a paragraph; no text has one.
    func inline(
        _ pieces: [Markup],
        lineBreak: String = "\n",
        isInLink: Bool = false
    ) -> String {
        joined(parts(pieces, lineBreak: lineBreak, isInLink: isInLink))
    }

    private func parts(_ pieces: [Markup], lineBreak: String, isInLink: Bool) -> [Piece] {
        var parts: [Piece] = []
        func add(_ text: String) { if !text.isEmpty { parts.append(Piece(text: text)) } }
        // Emphasis neither begins nor ends with a space.
        func add(_ text: String, _ emphasis: (mark: String, tag: String)) {
            let inner = text.trimmedSpaces
            if text.first?.isWhitespace == true { add(" ") }
            if !inner.isEmpty { parts.append(Piece(text: inner, emphasis: emphasis)) }
            if let last = text.last, last.isWhitespace { add("\(last)") }
        }
        for piece in pieces {
            func inner() -> String {
                inline(piece.children, lineBreak: lineBreak, isInLink: isInLink)
            }
            switch piece.kind {
            case .text(let text):
                let words = MarkdownText.escaped(text.words, dialect)
                let start = text.first?.isWhitespace == true ? " " : ""
                let end = text.last?.isWhitespace == true && !words.isEmpty ? " " : ""
                add(start + words + end)
            case .inline(let text): add(text)
            case .block(let text): add(text.words)
            case .element("br"): add(lineBreak)
            case .element("code"), .element("tt"): add(MarkdownText.code(piece.text, dialect))
            case .element("img"): add(page.image(piece))
            case .element("a"):
                add(anchor(piece["id"]))
                add(isInLink || piece["href"].isEmpty ? inner() : link(piece, lineBreak))
            case .element(let name):
                if let emphasis = Self.emphasis[name] {
                    add(inner(), emphasis)
                } else if Self.tags.contains(name) {
                    let text = inner()
                    add(text.isEmpty ? "" : "<\(name)>\(text)</\(name)>")
                } else {
                    parts += self.parts(
                        piece.children,
                        lineBreak: lineBreak,
                        isInLink: isInLink
                    )
                }
            default: parts += self.parts(piece.children, lineBreak: lineBreak, isInLink: isInLink)
            }
        }
        return parts
    }

    private func link(_ piece: Markup, _ lineBreak: String) -> String {
        let text = inline(piece.children, lineBreak: lineBreak, isInLink: true)
        return page.link(piece["href"], text: text)
    }

    private func joined(_ parts: [Piece]) -> String {
        var text = ""
        for (index, part) in parts.enumerated() {
            guard let (mark, tag) = part.emphasis else {
                let isDouble = part.text.first == " " && (text.isEmpty || text.last == " ")
                text += isDouble ? part.text.dropFirst() : part.text[...]
                continue
            }
            let next = index + 1 < parts.count ? parts[index + 1] : nil
            let after = next?.emphasis == nil ? next?.text.first : "x"
            // Marks within marks may be understood as others than they are.
            let isClear =
                dialect == .gitHub
                || !part.text.contains(where: mark.contains) && part.text.last != "\\"
                    && Self.surrounds(text.last) && Self.surrounds(after)
            text += isClear ? mark + part.text + mark : "<\(tag)>\(part.text)</\(tag)>"
        }
        return text
    }

    /// Whether marks of emphasis beside this character are always understood.
    private static func surrounds(_ character: Character?) -> Bool {
        guard let character else { return true }
        return character.isWhitespace || ".,;:!?()\"/\\".contains(character)
    }
}
