/// A start tag in HTML, as a browser reads it.
struct HTMLTag {
    struct Attribute {
        /// In lower case.
        let name: String
        /// With character references resolved.
        let value: String
        /// Where the name begins.
        let start: Int
        /// With its quotes; empty where there is no value.
        let valueRange: Range<Int>
    }

    /// In lower case.
    let name: String
    /// Of two attributes with one name, the first.
    let attributes: [Attribute]
    /// From `<` to `>`.
    let range: Range<Int>

    /// Whether it has attributes, and none with a value: `<path to file>`.
    var isWords: Bool {
        !attributes.isEmpty && attributes.allSatisfy { $0.valueRange.isEmpty }
    }

    /// The fragments by which links may lead here: the id, and of `<a>` the name.
    var anchors: [String] {
        attributes.filter { $0.name == "id" || ($0.name == "name" && name == "a") }.map(\.value)
    }
}
