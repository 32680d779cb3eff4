import CodeBlocks

/// A frame in the syntax of another tool: `{{< youtube id >}}`, `{% embed url="…" %}`.
struct DialectFrame {
    let address: String
    let title: ArraySlice<UInt8>

    /// `nil` for another name, and for an address that is none.
    init?(named name: String, _ attributes: BlockAttributes) {
        guard let start = Self.starts[name],
            let value = ["id", "url", "src", "page"].lazy.compactMap({ attributes[$0] }).first
                ?? attributes.words.first,
            !value.isEmpty, value.first != UInt8(ascii: "{")
        else { return nil }
        let text = String(decoding: value, as: UTF8.self)
        let isAddress = text.hasPrefix("https://") || text.hasPrefix("http://")
        guard isAddress || start.isEmpty || value.allSatisfy(DialectScanner.isNamePart) else {
            return nil
        }
        address = isAddress ? text : start + text
        title = attributes.title ?? []
    }

    static func isName(_ name: String) -> Bool { starts[name] != nil }

    /// By the name: what stands before the id.
    private static let starts = [
        "youtube": "https://www.youtube.com/watch?v=",
        "you-tube": "https://www.youtube.com/watch?v=",
        "lite-you-tube-embed": "https://www.youtube.com/watch?v=",
        "vimeo": "https://vimeo.com/", "embed": "", "video": "", "iframe": "", "file": "",
        // GitBook.
        "page-ref": "",
    ]
}
