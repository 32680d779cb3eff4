/// A key, or one of the parts between the dots of a dotted key (TOML 1.0, "Keys").
struct TOMLKeyPart {
    /// Without quotes and escapes.
    let text: String
    /// With them.
    let range: Range<Int>
}

extension [TOMLKeyPart] {
    /// All parts, as a message names them.
    var dotted: String { map(\.text).joined(separator: ".") }
}
