/// Why a text is no Mustache template.
struct MustacheError: Error {
    enum Problem {
        /// The text ends in a tag.
        case openTag
        /// Something else than a name is in a tag.
        case unfinishedTag
        /// The text ends in a section.
        case openSection
        /// A tag closes another section than the open one, or none is open.
        case wrongClose
        case other(String)
    }

    let problem: Problem
    /// Counted from 1.
    let line: Int
    /// In bytes, from 1.
    let column: Int
}
