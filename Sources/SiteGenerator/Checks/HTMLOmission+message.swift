import Markdown

extension HTMLOmission {
    /// The message of the finding.
    var message: String {
        let tag = "'<\(element)>'"
        switch reason {
        case .needsSafe: return "\(tag) is removed; 'raw_html = \"safe\"' in sitegen.toml allows it"
        case .needsTrust where attributes.isEmpty:
            return "\(tag) is removed; 'raw_html = true' in sitegen.toml allows it"
        case .needsTrust:
            let names = attributes.map { "'\($0)'" }.joined(separator: ", ")
            let (are, them) = attributes.count > 1 ? ("are", "them") : ("is", "it")
            return
                "\(names) of \(tag) \(are) removed; 'raw_html = true' in sitegen.toml allows \(them)"
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
