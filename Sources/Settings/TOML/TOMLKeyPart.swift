/// A key, or one of the parts between the dots of a dotted key (TOML 1.0, "Keys").
struct TOMLKeyPart {
    /// Without quotes and escapes.
    let text: String
    /// With quotes and escapes, as written.
    let range: Range<Int>
}

extension [TOMLKeyPart] {
    /// All parts joined by dots, for messages.
    var dotted: String { map(\.text).joined(separator: ".") }
}
