/// Why a text is no Mustache template.
struct MustacheError: Error {
    let message: String
    /// Counted from 1.
    let line: Int
    /// In bytes, from 1.
    let column: Int
}
