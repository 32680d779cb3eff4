import Markdown

extension HTMLOmission {
    /// What a finding says of a tag.
    var message: String {
        let tag = "'<\(element)>'"
        switch reason {
        case .needsSafe: return "\(tag) is left out; 'raw_html = \"safe\"' lets it through"
        case .needsTrust where attributes.isEmpty:
            return "\(tag) is left out; 'raw_html = true' lets it through"
        case .needsTrust:
            let names = attributes.map { "'\($0)'" }.joined(separator: ", ")
            let (are, them) = attributes.count > 1 ? ("are", "them") : ("is", "it")
            return "\(names) of \(tag) \(are) left out; 'raw_html = true' lets \(them) through"
        case .misplaced: return "\(tag) is left out \(wrongPlace)"
        case .unknown:
            return "'<\(words)>' is no element of HTML and is shown as text; '`<\(words)>`' is code"
        case .placeholder:
            return "'<\(words)>' is shown as text, its words are no attributes of HTML;"
                + " '`<\(words)>`' is code"
        case .declaration:
            return "'<\(element)…>' is left out, browsers take it for a comment;"
                + " in backquotes it is code"
        case .tooDeep: return "\(tag) is left out: too many elements are open"
        case .repeatedID:
            let id = attributes.first ?? ""
            return "id '\(id)' of \(tag) is left out: another element has it"
        case .unclosed: return "'<!--' without '-->' hides the text behind it"
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
        default: "inside a paragraph or heading: it begins a block of its own"
        }
    }
}
