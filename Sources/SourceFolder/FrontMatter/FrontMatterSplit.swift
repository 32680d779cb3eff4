/// A file split into its front matter and its Markdown.
package struct FrontMatterSplit {
    package enum Language: Sendable { case yaml, toml, json }

    package private(set) var language = Language.yaml
    /// Without the fences; `nil` if there is no front matter.
    package private(set) var frontMatter: [UInt8]?
    /// The number of lines above ``frontMatter``.
    package private(set) var linesAbove = 0
    package private(set) var markdown: [UInt8]
    /// The number of lines above the Markdown.
    package private(set) var linesBefore = 0
    /// Why front matter begins but does not end.
    ///
    /// Such a file must not be published as text: its `access` would be ignored.
    package private(set) var mistake: String?

    /// Splits at `---` and the next `---` (or `...`) on a line of its own.
    ///
    /// TOML stands between two lines of `+++`, JSON between braces.
    ///
    /// Only invisible text may precede the first fence: white space, byte-order marks, zero-width
    /// characters and HTML comments.
    ///
    /// - Parameter file: UTF-8 with line feeds, see ``DecodedText``.
    package init(_ file: [UInt8]) {
        markdown = file
        let start = FrontMatterStart(in: file)
        if let object = JSONObjectRange(at: file[start.offset...]) {
            split(at: object, start)
            return
        }
        // A line that is indented by four spaces is code.
        guard start.indentation < 4, let first = TextLine(file.span, at: start.offset),
            first.isFence(["---", "+++"], in: file)
        else { return }
        let isTOML = file[start.offset] == UInt8(ascii: "+")
        let fences = isTOML ? ["+++"] : ["---", "..."]
        var position = first.next
        var lines = start.line
        // Below a comment, a line of '---' may be a thematic break.
        var isBreak = start.line > 1
        while let line = TextLine(file.span, at: position) {
            lines += 1
            if line.isFence(fences, in: file, indentation: start.indentation) {
                if isBreak { return }
                language = isTOML ? .toml : .yaml
                frontMatter = Array(file[first.next..<position])
                linesAbove = start.line
                markdown = Array(file[line.next...])
                linesBefore = lines
                return
            }
            isBreak = isBreak && !line.hasKey(in: file)
            position = line.next
        }
        if !isBreak { mistake = "front matter is not closed: a line '\(fences[0])' is missing" }
    }

    private mutating func split(at object: JSONObjectRange, _ start: FrontMatterStart) {
        guard let end = object.end else {
            mistake = "front matter is not closed: a '}' is missing"
            return
        }
        guard let next = object.nextLine else { return }
        language = .json
        frontMatter = Array(markdown[start.offset..<end])
        linesAbove = start.line - 1
        linesBefore = markdown[..<end].count { $0 == 10 } + 1
        markdown = Array(markdown[next...])
    }
}
