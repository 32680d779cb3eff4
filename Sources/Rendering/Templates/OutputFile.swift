import Access
import POSIX
import Site
import SourceFolder

/// A file of a release, with how its bytes are made.
package struct OutputFile: Sendable {
    package enum Content: Sendable {
        case bytes([UInt8])
        /// A file of the source folder that is copied unchanged.
        case copy(SourceTree.File)
        /// A template without content.
        case template(String)
        case generated(GeneratedFile)
    }

    /// The path in the release, as ``ReleaseFolder`` shows it.
    package let path: String
    package let content: Content
    /// The readers for whom the content is chosen; `nil` if it is the same for all.
    package var readers: Audience?

    /// - Parameter searchFolders: of each audience that has a search index; a file for scripts names
    ///   them.
    package func bytes(
        _ renderer: PageRenderer,
        _ searchFolders: [Audience: [String]] = [:]
    ) throws(SystemError) -> [UInt8] {
        switch content {
        case .bytes(let bytes): bytes
        case .copy(let file): try file.read()
        case .template(let name): renderer.plain(name)
        case .generated(let file): renderer.generated(file, searchFolders)
        }
    }
}
