/// How much of a release was made by its build, and how much was taken over from the one before.
public struct BuildCounts: Sendable, Equatable {
    /// Pages whose Markdown was parsed.
    public let parsed: Int
    /// Pages whose templates were filled.
    public let rendered: Int
    /// Pages that are the files of the release before.
    public let reused: Int
    /// Files of any kind that are those of the release before, compressed ones not counted.
    public let linked: Int
    /// Files that were written.
    public let written: Int

    /// One line for people.
    public var text: String {
        "pages: \(parsed) parsed, \(rendered) rendered, \(reused) unchanged; "
            + "files: \(written) written, \(linked) linked"
    }
}
