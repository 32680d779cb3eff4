/// A piece of a page on its way from another system: HTML, or what a macro means here.
///
/// The reader makes elements and texts only. A text of a page therefore cannot pose as one of the
/// other kinds, which become Markdown without escapes.
package struct Markup {
    package enum Kind: Equatable {
        case text(String)
        case element(String)
        /// A box with a title, in the spelling of GitHub (`NOTE`).
        case alert(String, title: String)
        case code(String, language: String, title: String)
        /// What can be unfolded.
        case details(summary: String)
        case task(isDone: Bool)
        /// Markdown within a line, and Markdown of lines of its own.
        case inline(String)
        case block(String)
    }

    package var kind: Kind
    package var attributes: [String: String] = [:]
    package var children: [Markup] = []

    package init(_ kind: Kind, _ children: [Markup] = []) {
        self.kind = kind
        self.children = children
    }

    package static func text(_ text: String) -> Markup { Markup(.text(text)) }

    package static func element(
        _ name: String,
        _ attributes: [String: String] = [:],
        _ children: [Markup] = []
    ) -> Markup {
        var markup = Markup(.element(name), children)
        markup.attributes = attributes
        return markup
    }

    /// The name of an element, and empty for everything else.
    package var name: String {
        guard case .element(let name) = kind else { return "" }
        return name
    }

    package subscript(attribute: String) -> String { attributes[attribute] ?? "" }

    package var classes: [Substring] { self["class"].split(whereSeparator: \.isWhitespace) }

    /// The text of the piece and of all below it.
    package var text: String {
        switch kind {
        case .text(let text), .code(let text, _, _): return text
        case .element("br"): return "\n"
        default: return children.map(\.text).joined()
        }
    }

    /// The text on one line, with single spaces.
    package var words: String { text.words }

    /// The first piece below this one, in the order of the text, that fits.
    package func first(where isWanted: (Markup) -> Bool) -> Markup? {
        for child in children {
            if isWanted(child) { return child }
            if let found = child.first(where: isWanted) { return found }
        }
        return nil
    }

    package func with(_ children: [Markup]) -> Markup {
        var copy = self
        copy.children = children
        return copy
    }

    /// Calls `body` with this piece and those below it that have the name.
    package func forEach(_ wanted: String, _ body: (Markup) -> Void) {
        if name == wanted { body(self) }
        for child in children { child.forEach(wanted, body) }
    }

    package func child(_ name: String) -> Markup? { children.first { $0.name == name } }

    package func children(_ name: String) -> [Markup] { children.filter { $0.name == name } }
}

extension StringProtocol {
    /// The words on one line, with single spaces.
    package var words: String {
        var bytes: [UInt8] = []
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x21..<0x7F: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case _ where scalar == " " || scalar.properties.isWhitespace:
                if bytes.last ?? 32 != 32 { bytes.append(32) }
            default: bytes += scalar.utf8
            }
        }
        if bytes.last == 32 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
