import Access
import POSIX
import Site

/// A file of a release, with how its bytes are made.
package struct OutputFile: Sendable {
    package enum Content: Sendable {
        case bytes([UInt8])
        /// A file of the source folder that is copied unchanged.
        case copy(SourceTree.File)
        case rendered(@Sendable (PageRenderer) -> [UInt8])
    }

    /// The path in the release, as ``ReleaseFolder`` shows it.
    package let path: String
    package let content: Content
    /// The readers for whom the content is chosen; `nil` if it is the same for all.
    package var readers: Audience?

    package func bytes(_ renderer: PageRenderer) throws(SystemError) -> [UInt8] {
        switch content {
        case .bytes(let bytes): bytes
        case .copy(let file): try file.read()
        case .rendered(let render): render(renderer)
        }
    }
}
