/// Words for readers, by their English text; see ``ReaderLanguage``.
struct ReaderText: Sendable, ExpressibleByStringLiteral {
    let english: String
    /// What takes the place of `{{name}}`; a value is not translated.
    let values: [String: String]

    init(stringLiteral english: String) { self.init(english) }

    init(_ english: String, _ values: [String: String] = [:]) {
        self.english = english
        self.values = values
    }
}
