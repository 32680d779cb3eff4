/// A text in TOML 1.0 (https://toml.io/en/v1.0.0), with the location of each key and each value.
///
/// The parser is hand-written, because the available libraries are not safe with files that people
/// edit. toml++ and its wrappers abort the process at a half-typed header (`[`), which ended a
/// running siteauth. They read a C string, so everything after a NUL byte was silently dropped,
/// including `access` and `allowed_tenants`. They do not report the location of a value.
///
/// The parser fails closed: a document with one mistake has no keys at all. Work and memory are
/// linear in the size of the text, and nesting is bounded. `Tests/Differential/toml_documents.py`
/// compares it with Python's `tomllib`.
struct TOMLDocument {
    /// All keys; empty if the text is not TOML.
    let root: TOMLTable
    /// What is wrong, in the order of the text.
    let mistakes: [TOMLMistake]
    let source: TOMLSource

    init(_ bytes: [UInt8]) {
        source = TOMLSource(bytes)
        guard source.mistakes.isEmpty else {
            root = TOMLTable(.root, at: 0..<0)
            mistakes = source.mistakes
            return
        }
        var parser = TOMLParser(source)
        parser.parse()
        // The last statement may have two.
        mistakes = Array(parser.mistakes.prefix(TOMLMistake.limit))
        root = mistakes.isEmpty ? parser.root : TOMLTable(.root, at: 0..<0)
    }
}
