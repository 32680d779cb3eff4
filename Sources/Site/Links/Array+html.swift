import HTML
import SourceFolder

extension [UInt8] {
    /// Appends a text, escaped for text and for attributes in double quotes.
    package mutating func append(escaped text: String) {
        HTMLText.escape(text.utf8.span, into: &self)
    }

    /// Appends a path, encoded for `href`.
    package mutating func append(encoded path: String) { SitePathName.encode(path, into: &self) }
}
