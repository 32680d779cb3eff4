import Diagnostics

/// Files that are copied as they are, and begin with front matter all the same.
///
/// Other tools make pages of HTML, Textile or text with front matter. Copied, what it says would
/// protect nothing, and be there for everybody to read.
enum FrontMatterInFile {
    private static let endings = [
        ".adoc", ".asciidoc", ".ejs", ".haml", ".hbs", ".htm", ".html", ".liquid", ".njk", ".org",
        ".pdc", ".pug", ".rst", ".text", ".textile", ".txt", ".wiki", ".xhtml",
    ]

    /// How much of a file is looked at, in bytes.
    private static let startBytes = 16_384

    static func diagnostics(in files: [SourceTree.File]) -> [Diagnostic] {
        let texts = files.filter { file in
            let name = file.path.lowercased()
            return endings.contains(where: name.hasSuffix)
        }
        return texts.compactMap { file in
            // One that cannot be read is told of where it is copied.
            guard let bytes = try? file.readStart(bytes: startBytes) else { return nil }
            return diagnostic(file, bytes)
        }
    }

    private static func diagnostic(_ file: SourceTree.File, _ bytes: [UInt8]) -> Diagnostic? {
        // A character may be cut at the end.
        var text = DecodedText(bytes).utf8
        for _ in 0..<3 where text.isEmpty && bytes.count == startBytes {
            let end = bytes.lastIndex(of: 10) ?? 0
            text = DecodedText(Array(bytes[..<end])).utf8
        }
        let split = FrontMatterSplit(text)
        let isHTML = text.first == UInt8(ascii: "<")
        let hasKey = split.frontMatter.map { TextLine($0, at: 0)?.hasKey ?? false } ?? false
        if hasKey || (split.frontMatter != nil && split.language != .json) {
            let message = "begins with front matter, but would be copied unchanged"
            return diagnostic(file, message, line: 1)
        }
        guard !isHTML, let found = SuspectedAccessKey.find(in: text, split) else { return nil }
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
