import Diagnostics
import SourceFolder

/// That a page shows the text of a file.
struct Inclusion: Sendable {
    let file: SourceTree.File
    /// Of the form.
    let location: SourceLocation
    /// What stood above the very text that was included.
    let frontMatter: FrontMatter
}
