/// An element that every author may write, as on GitHub.
///
/// Not allowed are elements that run, load or ask for something, elements that hide text, landmarks
/// such as `<main>`, which belong to the template, and elements that browsers parse by other rules
/// (`<svg>`, `<select>`, `<textarea>`, `<template>`).
package struct SafeElement {
    /// Where an element may stand, and what a browser closes before it.
    package enum Kind {
        /// Part of a line: `<kbd>`.
        case text
        case link
        /// A block that holds blocks: `<div>`.
        case block
        case paragraph, heading
        case list, listItem
        case definitionList, definition
        case table, tableSection, tableRow, tableCell, caption, columnGroup, column
        case ruby, rubyText
        case picture, pictureSource
    }

    package let name: String
    package let kind: Kind
    /// It has no content and no end tag.
    package let isVoid: Bool

    /// - Parameter name: in lower case.
    package init?(_ name: String) {
        guard let kind = Self.kinds[name] else { return nil }
        self.name = name
        self.kind = kind
        isVoid = Self.void.contains(name)
    }

    private init(implied name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
        isVoid = false
    }

    static let impliedRow = SafeElement(implied: "tr", .tableRow)
    static let impliedCell = SafeElement(implied: "td", .tableCell)
    static let impliedColumnGroup = SafeElement(implied: "colgroup", .columnGroup)

    private static let void: Set<String> = ["br", "wbr", "hr", "img", "source", "col"]

    private static let kinds: [String: Kind] = {
        var kinds: [String: Kind] = [
            "a": .link, "p": .paragraph, "li": .listItem, "dl": .definitionList,
            "table": .table, "tr": .tableRow, "caption": .caption, "colgroup": .columnGroup,
            "col": .column, "ruby": .ruby, "picture": .picture, "source": .pictureSource,
        ]
        for (kind, names) in [
            (
                Kind.text,
                "abbr b bdi bdo big br cite code del dfn em i img ins kbd mark q s samp small span"
                    + " strike strong sub sup time tt u var wbr"
            ),
            (.block, "blockquote center details div figcaption figure hr pre summary"),
            (.heading, "h1 h2 h3 h4 h5 h6"), (.list, "ol ul"), (.definition, "dd dt"),
            (.tableSection, "tbody tfoot thead"), (.tableCell, "td th"), (.rubyText, "rp rt"),
        ] {
            for name in names.split(separator: " ") { kinds[String(name)] = kind }
        }
        return kinds
    }()
}
