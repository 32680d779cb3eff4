import Bytes

/// The ids that authors write in HTML when raw HTML is not trusted.
///
/// They begin with a mark that no other id has: not those of headings, of footnotes or of the
/// theme, so that neither a link nor a script finds an author's element in the place of those.
public enum AuthorAnchor {
    public static let prefix = "~"

    /// The id for an author's `name`, or `nil` where that cannot be an id.
    package static func id(_ name: String) -> String? {
        let isName =
            (1...200).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.value > 0x20 && scalar.value != 0x7F && !scalar.properties.isWhitespace
                    && scalar.properties.generalCategory != .control
            }
        return isName ? prefix + name : nil
    }
}
