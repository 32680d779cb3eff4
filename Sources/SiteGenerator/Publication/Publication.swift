/// A site on its way to disk; ``ReleaseWriter`` takes its files.
///
/// Files are written into a new release folder. Then one `rename(2)` of the symbolic link `current`
/// publishes the whole site, policy and pages together. Readers see the previous site or the new
/// one, never a mixture; a build that fails leaves the previous one in place.
///
///     public/current -> releases/8
///     public/releases/8/access        who may read what
///     public/releases/8/site/…        served to those who may
///     public/releases/8/theme/…       style sheets and scripts
///     public/releases/8/auth/…        the frame of siteauth's pages
///     public/releases/8/errors/…      nginx's error pages
///     public/theme/…                  those of all releases, served to everybody
enum Publication {
    struct File: Sendable {
        enum Content: Sendable {
            case bytes([UInt8])
            /// A file of the source folder that is copied unchanged.
            case copy(SourceTree.File)
            /// The file of the previous release, which is linked unread.
            case unchanged(ReleasedFile)
        }

        /// The path in the release.
        let path: String
        let content: Content
        /// A digest of the file's inputs, if the next release may use the file again.
        var key: [UInt8]?
        /// Whether a compressed copy is written.
        var isCompressed = false
        /// The range of a page's text in the file, without template and navigation.
        var text: Range<Int>?
    }
}
