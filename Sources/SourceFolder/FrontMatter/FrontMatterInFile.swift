import Diagnostics
import Rules

/// Reports files that begin with front matter, but are copied unchanged.
///
/// Other tools make pages from HTML, Textile or text files with front matter. Copied unchanged, the
/// front matter would not protect the file, and everybody could read it.
package enum FrontMatterInFile {
    private static let endings = [
        ".adoc", ".asciidoc", ".ejs", ".haml", ".hbs", ".htm", ".html", ".liquid", ".njk", ".org",
        ".pdc", ".pug", ".rst", ".text", ".textile", ".txt", ".wiki", ".xhtml",
    ]

    /// The number of bytes that are read.
    private static let startBytes = 16_384

    package static func diagnostics(in files: [SourceTree.File]) -> [Diagnostic] {
        let texts = files.filter { file in
            let name = file.path.lowercased()
            return endings.contains(where: name.hasSuffix)
        }
        return texts.compactMap { file in
            // A file that cannot be read is reported when it is copied.
            guard let bytes = try? file.readStart(bytes: startBytes) else { return nil }
            return diagnostic(file, bytes)
        }
    }

    private static func diagnostic(_ file: SourceTree.File, _ bytes: [UInt8]) -> Diagnostic? {
        // The last character may be cut off, and a byte of another encoding hides no key.
        let start = DecodedText(bytes)
        let text =
            start.mistake == nil ? start.utf8 : Array(String(decoding: bytes, as: UTF8.self).utf8)
        let split = FrontMatterSplit(text)
        let isHTML = text.first == UInt8(ascii: "<")
        let hasKey =
            split.frontMatter.map { TextLine($0.span, at: 0)?.hasKey(in: $0) ?? false } ?? false
        if hasKey || (split.frontMatter != nil && split.language != .json) {
            let message = "begins with front matter, but would be copied unchanged"
            return diagnostic(file, message, line: 1)
        }
        // `Allow` and `Disallow` are for robots, and hide the file from nobody (RFC 9309).
        let isForRobots = file.path == "robots.txt" || file.path.hasSuffix("/robots.txt")
        guard !isHTML, !isForRobots, let found = SuspectedAccessKey.find(in: text, split) else {
            return nil
        }
        let message = "'\(found.text)' does not protect this file, which is copied unchanged"
        return diagnostic(file, message, line: found.line)
    }

    private static func diagnostic(
        _ file: SourceTree.File,
        _ message: String,
        line: Int
    ) -> Diagnostic {
        let note = Diagnostic.Note(
            "a page ends with '.md'; 'exclude' in sitegen.toml ignores files"
        )
        let location = SourceLocation(file.displayPath, line: line)
        return Diagnostic(.sourceFile, message, at: location, notes: [note])
    }
}
