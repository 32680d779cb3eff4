import CodeBlocks

/// A block that stands out, in the syntax of any tool: GitHub's alerts are five kinds of it.
struct Admonition {
    enum Fold { case none, open, closed }

    /// One of ``Callout/alerts``: its colours and its icon.
    private(set) var look = "note"
    /// What stands at its top if the author gives no title: an English word of ``names``, or the
    /// name of a kind that the author made up.
    private(set) var name = ""
    /// A kind that the author made up, for a style sheet of the site.
    private(set) var ownKind: String?
    /// The author's title, and where it begins in its line; `nil` for the usual one.
    ///
    /// Without bytes, there is no title.
    var title: (bytes: [UInt8], offset: Int)?
    /// Where the title leads, as that of a card.
    var address: String?
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
            ("Bug", "caution", "bug"), ("Example", "note", "example experiment"),
            ("Quote", "note", "quote cite"),
        ] {
            for alias in aliases.split(separator: " ") { kinds[String(alias)] = (name, look) }
        }
        return kinds
    }()

    /// The English words of all usual titles.
    static var names: [String] { Set(kinds.values.map(\.name)).sorted() }

    /// - Parameter kind: as an author writes it.
    init(kind: String) { setKind(Array(kind.utf8)[...]) }

    mutating func setKind(_ kind: ArraySlice<UInt8>) {
        let kind = String(decoding: kind, as: UTF8.self).lowercased()
        if let (name, look) = Self.kinds[kind] {
            (self.name, self.look, ownKind) = (name, look, nil)
        } else {
            name = kind.prefix(1).uppercased() + kind.dropFirst()
            (look, ownKind) = ("note", kind)
        }
    }

    /// - Parameter content: the line of which the title is a part.
    mutating func setTitle(_ title: ArraySlice<UInt8>?, in content: ArraySlice<UInt8>) {
        self.title = title.map { (Array($0), $0.startIndex - content.startIndex) }
    }
}

extension BlockAttributes {
    /// Whether the block is folded, as Quarto and VitePress write it.
    var fold: Admonition.Fold? {
        if self["open"] != nil { return .open }
        return self["collapse"].map { $0.elementsEqual("true".utf8) ? .closed : .open }
    }

    /// Where a component leads, unless an expression of JavaScript says it.
    var address: String? {
        NamedBlock.addressKeys.lazy.compactMap { self[$0] }
            .map { String(decoding: $0, as: UTF8.self) }.first(where: NamedBlock.isAddress)
    }
}
