/// How much of a release its build made, and how much it took from the previous release.
public struct BuildCounts: Sendable, Equatable {
    /// Pages whose Markdown was parsed.
    public let parsed: Int
    /// Pages whose templates were filled.
    public let rendered: Int
    /// Pages whose files are those of the previous release.
    public let reused: Int
    /// Files that are hard links to those of the previous release, not counting compressed ones.
    public let linked: Int
    /// Files that were written.
    public let written: Int

    /// The counts as one line of text.
    public var text: String {
        "pages: \(parsed) parsed, \(rendered) rendered, \(reused) unchanged; "
            + "files: \(written) written, \(linked) linked"
    }
}
