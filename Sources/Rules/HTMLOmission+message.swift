import HTML

extension HTMLOmission {
    /// The message of the finding.
    package var message: String {
        let tag = "'<\(element)>'"
        switch reason {
        case .needsSafe: return "\(tag) is removed; 'raw_html = \"safe\"' in sitegen.toml allows it"
        case .needsTrust where attributes.isEmpty:
            let files = ["video", "audio"].contains(element) ? ", with a file of the site" : ""
            return "\(tag) is removed; 'raw_html = true' in sitegen.toml allows it\(files)"
        case .needsTrust:
            let names = attributes.map { "'\($0)'" }.joined(separator: ", ")
            let (are, them) = attributes.count > 1 ? ("are", "them") : ("is", "it")
            let removed = "\(names) of \(tag) \(are) removed"
            if attributes.contains(where: { $0 == "style" || $0.hasPrefix("on") }) {
                return "\(removed), and \(Self.policy) allows no scripts and styles in a page"
            }
            return "\(removed); 'raw_html = true' in sitegen.toml allows \(them)"
        case .needsPolicy: return "\(tag) is removed, and \(Self.policy) \(block)"
        case .blocked: return "\(tag) does nothing, because \(Self.policy) \(block)"
        case .misplaced: return "\(tag) is removed, because it is \(wrongPlace)"
        case .unknown:
            return
                "'<\(words)>' is not an HTML element and is shown as text; write '`<\(words)>`' for code"
        case .placeholder:
            return "'<\(words)>' is shown as text, because its words are not HTML attributes;"
                + " write '`<\(words)>`' for code"
        case .declaration:
            return "'<\(element)…>' is removed, because browsers read it as a comment;"
                + " write it in backquotes for code"
        case .tooDeep: return "\(tag) is removed, because too many elements are open"
        case .repeatedID:
            let id = attributes.first ?? ""
            return "id '\(id)' of \(tag) is removed, because another element has it"
        case .unclosed: return "'<!--' is not closed by '-->', so the text after it is hidden"
        }
    }

    private static let policy = "the Content-Security-Policy that nginx sends"

    /// What the policy forbids, and what works.
    private var block: String {
        switch element {
        case "script": "allows scripts of the theme only"
        case "style": "allows styles of the theme only"
        case "iframe", "frame", "frameset", "portal":
            "allows no frames; write a link, '[…](https://…)'"
        default: "allows no embedded objects; write a link, '[…](file.pdf)'"
        }
    }

    private var wrongPlace: String {
        switch element {
        case "a": "inside another link"
        case "li": "outside a list"
        case "dt", "dd": "outside '<dl>'"
        case "rt", "rp": "outside '<ruby>'"
        case "source": "outside '<picture>'"
        case "td", "th", "tr", "thead", "tbody", "tfoot", "caption", "col", "colgroup":
            "outside '<table>'"
        default: "a block inside a paragraph or heading"
        }
    }
}
