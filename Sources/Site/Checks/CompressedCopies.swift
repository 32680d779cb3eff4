import Deflate
import Diagnostics
import Rules
import SourceFolder

/// Refuses a file `X.gz` of another text beside an output `X`: with `gzip_static`, nginx sends it to
/// every browser in the place of X.
///
/// Its author could put any HTML in the place of any page, unseen by a review of the Markdown, by
/// search, checks and preview.
package enum CompressedCopies {
    /// - Parameter generated: the paths of the files that no author wrote.
    package static func diagnostics(in site: Site, _ generated: [String]) -> [Diagnostic] {
        let copies = site.assets.filter { $0.url.lowercased().hasSuffix(".gz") }
        guard !copies.isEmpty else { return [] }
        let generated = Set(generated.map { $0.lowercased() })
        return copies.compactMap { url, file in
            let original = url.dropLast(3).lowercased()
            let author = site.author(ofOutput: original)
            guard author != nil || generated.contains(original) else { return nil }
            if let author, !author.isMarkdown, let bytes = try? author.read(),
                let copy = try? file.read(), Gzip.decompresses(copy, to: bytes)
            {
                return nil
            }
            let message =
                "readers would get this file in place of '\(url.dropFirst().dropLast(3))'; remove"
                + " it, or rename it"
            return Diagnostic(.duplicateOutput, message, at: SourceLocation(file.displayPath))
        }
    }
}
