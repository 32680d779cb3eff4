import Diagnostics

/// A file whose text a page includes.
struct IncludableText {
    /// The path in the source folder.
    let path: String
    let displayPath: String
    /// Without front matter; UTF-8 with line feeds.
    let text: [UInt8]
    /// The number of lines of the file above the text.
    var linesBefore = 0
}

/// Why a form includes nothing.
struct IncludeRefusal: Error {
    let message: String
}

/// Finds and reads the files that a page may include.
protocol IncludableTexts {
    /// The source folder relative to that of `sitegen.toml`, from which other tools see paths.
    var folder: String { get }

    func has(_ path: String) -> Bool

    /// Why there is nothing to include at a path.
    func absence(of path: String) -> String

    /// The paths of pages by a name as Obsidian writes it, the nearest first.
    func paths(ofNote name: String, from path: String) -> [String]

    /// - Parameter location: of the form.
    mutating func read(
        _ path: String,
        at location: SourceLocation,
        maximumBytes: Int
    ) throws(IncludeRefusal) -> IncludableText
}
