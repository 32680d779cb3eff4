/// A file of a site on its way to disk; ``ReleaseWriter`` takes it.
struct OutputFile: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        /// A file of the source folder that is copied unchanged.
        case copy(SourceTree.File)
    }

    /// The path in the release, as ``ReleaseFolder`` shows it.
    let path: String
    let content: Content
}
