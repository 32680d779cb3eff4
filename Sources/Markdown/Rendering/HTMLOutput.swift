import HTML

/// The renderer's state for the HTML of a document's author.
struct HTMLOutput {
    var elements = OpenElements()
    /// For each open link of Markdown, whether it was written.
    var writtenLinks: [Bool] = []
    /// The ids of authors' elements.
    var ids: Set<String> = []
    /// Components shown as text that have the name of an element: their end tags are text, too.
    var components: Set<String> = []
    /// Components whose tags are left out.
    var omitted: Set<String> = []
    /// The HTML, or the text in which it stands.
    var source: [UInt8] = []
    /// The names of the components that end in it; `nil` as long as nobody asked.
    var componentEnds: Set<String>?
    /// Of these, links.
    var links: Set<String> = []
    /// How many placeholders `<p name>` the block of HTML or the paragraph showed as text.
    var placeholders: [String: Int] = [:]
    /// Where a tag was left out behind a word: a word that comes next needs a space before it.
    var gap: (output: Int, offset: Int, isBreak: Bool)?
    /// What was reported for this block of HTML or paragraph.
    var told: Set<HTMLOmission> = []
    /// The element that was left out as a whole, and how often it is open.
    var whole: (name: String, depth: Int)?
    /// A film or a sound whose file is not known yet.
    var player: (tag: HTMLTag, start: (line: Int, column: Int))?
    /// Whether the text in the element is for browsers that cannot play it.
    var isInPlayer = false
    /// Whether a tag was written since the block began.
    var wroteTag = false
}
