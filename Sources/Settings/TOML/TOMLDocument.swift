/// A text in TOML 1.0 (https://toml.io/en/v1.0.0), with the place of each key and each value.
///
/// It is written by hand because the libraries at hand are not safe with what people save: the
/// family of toml++ aborts the process at a header half typed (`[`), which ended a running
/// siteauth, and takes a C string, so that everything behind a NUL, `access` and
/// `allowed_tenants` included, was dropped without a word. Neither tells where a value stands.
///
/// The reader fails closed: one mistake, and the document has no keys at all. Its work and its
/// memory are linear in the size of the text, and nesting is bounded. `Tests/Differential/toml_documents.py`
/// holds it against Python's `tomllib`.
struct TOMLDocument {
    /// All keys; empty where the text is not TOML.
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
        mistakes = parser.mistakes
        root = mistakes.isEmpty ? parser.root : TOMLTable(.root, at: 0..<0)
    }
}
