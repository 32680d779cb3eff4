/// What the renderer knows of the HTML of a document's author.
struct HTMLOutput {
    var elements = OpenElements()
    /// Whether the links of Markdown that are open were written.
    var writtenLinks: [Bool] = []
    /// Ids that authors' elements have.
    var ids: Set<String> = []
    /// Components that were shown as text and are called as an element is: so are their end tags.
    var components: Set<String> = []
    /// How many placeholders `<p name>` the block of HTML or the paragraph showed as text.
    var placeholders: [String: Int] = [:]
    /// Where a tag was left out behind a word: a word that comes next is another one.
    var gap: (output: Int, offset: Int, isBreak: Bool)?
    /// What the block of HTML has told already, or the paragraph.
    var told: Set<HTMLOmission> = []
    /// The element that was left out as a whole, and how often it is open.
    var whole: (name: String, depth: Int)?
    /// Whether a tag was written since the block began.
    var wroteTag = false
}
