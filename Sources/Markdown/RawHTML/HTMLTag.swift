/// A start tag in HTML, as a browser takes it apart.
struct HTMLTag {
    struct Attribute {
        /// In lower case.
        let name: String
        /// With character references resolved.
        let value: String
        /// Where the name begins.
        let start: Int
        /// Where the value stands, its quotes included; empty where there is none.
        let valueRange: Range<Int>
    }

    /// In lower case.
    let name: String
    /// Of two with one name, the first.
    let attributes: [Attribute]
    /// From `<` to behind `>`.
    let range: Range<Int>

    /// Whether it has attributes, and none with a value: `<path to file>`.
    var isWords: Bool {
        !attributes.isEmpty && attributes.allSatisfy { $0.valueRange.isEmpty }
    }

    /// What links may lead to: the id, and of `<a>` the name.
    var anchors: [String] {
        attributes.filter { $0.name == "id" || ($0.name == "name" && name == "a") }.map(\.value)
    }
}
