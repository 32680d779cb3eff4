/// A block that stands out, in the syntax of any tool: GitHub's alerts are five kinds of it.
struct Admonition {
    enum Fold { case none, open, closed }

    /// One of ``Callout/alerts``: its colours and its icon.
    let look: String
    /// What stands at its top if the author gives no title: an English word of ``names``, or the
    /// name of a kind that the author made up.
    let name: String
    /// A kind that the author made up, for a style sheet of the site.
    var ownKind: String?
    /// The author's title, and where it begins in its line; `nil` for the usual one.
    ///
    /// Without bytes, there is no title.
    var title: (bytes: [UInt8], offset: Int)?
    var fold = Fold.none

    /// The usual title and the look by kind, as Material for MkDocs, Docusaurus, VitePress,
    /// Starlight, Obsidian and GitBook name kinds.
    static let kinds: [String: (name: String, look: String)] = {
        var kinds: [String: (String, String)] = [:]
        for (name, look, aliases) in [
            ("Note", "note", "note seealso"), ("Summary", "note", "abstract summary tldr"),
            ("Info", "note", "info"), ("To do", "note", "todo"), ("Tip", "tip", "tip hint"),
            ("Success", "tip", "success check done"), ("Important", "important", "important"),
            ("Question", "important", "question help faq"),
            ("Warning", "warning", "warning attention"), ("Caution", "caution", "caution"),
            ("Failure", "caution", "failure fail missing"), ("Danger", "caution", "danger error"),
            ("Bug", "caution", "bug"), ("Example", "note", "example"),
            ("Quote", "note", "quote cite"),
        ] {
            for alias in aliases.split(separator: " ") { kinds[String(alias)] = (name, look) }
        }
        return kinds
    }()

    /// The English words of all usual titles.
    static var names: [String] { Set(kinds.values.map(\.name)).sorted() }

    /// - Parameter kind: as an author writes it.
    init(kind: String) {
        let kind = kind.lowercased()
        if let (name, look) = Self.kinds[kind] {
            (self.name, self.look) = (name, look)
        } else {
            name = kind.prefix(1).uppercased() + kind.dropFirst()
            look = "note"
            ownKind = kind
        }
    }
}
