extension RenderedDocument {
    /// The text for a placeholder: a URL, and further attributes of the element around it.
    ///
    /// A placeholder stands between the quotes of an attribute; the quote behind it ends the last one.
    ///
    /// - Parameter url: escaped for an attribute, as the values are.
    public static func filling(
        _ url: String,
        attributes: [(name: String, value: String)]
    ) -> String {
        attributes.reduce(url) { text, attribute in
            "\(text)\" \(attribute.name)=\"\(attribute.value)"
        }
    }
}
