/// A start tag in HTML, as a browser reads it.
public struct HTMLTag {
    public struct Attribute {
        /// In lower case.
        public let name: String
        /// With character references resolved.
        public let value: String
        /// Where the name begins.
        package let start: Int
        /// With its quotes; empty where there is no value.
        package let valueRange: Range<Int>
    }

    /// In lower case.
    public let name: String
    /// Of two attributes with one name, the first.
    public let attributes: [Attribute]
    /// From `<` to `>`.
    public let range: Range<Int>

    /// Whether it has attributes, and none with a value: `<path to file>`.
    package var isWords: Bool {
        !attributes.isEmpty && attributes.allSatisfy { $0.valueRange.isEmpty }
    }

    /// Whether the element is an icon of Font Awesome.
    package var isIcon: Bool {
        attributes.contains { $0.name == "class" && "fa-" == $0.value.prefix(3) }
    }

    /// A link in the place of a component of another tool.
    ///
    /// - Parameter address: an attribute of the tag.
    package func link(to address: Attribute) -> HTMLTag {
        let href = Attribute(
            name: "href",
            value: address.value,
            start: address.start,
            valueRange: address.valueRange
        )
        return HTMLTag(name: "a", attributes: [href], range: range)
    }

    /// The fragments by which links may lead here: the id, and of `<a>` the name.
    package var anchors: [String] {
        attributes.filter { $0.name == "id" || ($0.name == "name" && name == "a") }.map(\.value)
    }
}
