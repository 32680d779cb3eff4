/// A file split into its front matter and its Markdown.
struct FrontMatterSplit {
    enum Language: Sendable { case yaml, toml, json }

    let language: Language
    /// Without the fences; `nil` if there is no front matter.
    let frontMatter: [UInt8]?
    /// The number of lines above ``frontMatter``.
    let linesAbove: Int
    let markdown: [UInt8]
    /// The number of lines above the Markdown.
    let linesBefore: Int
    /// Why front matter begins but does not end.
    ///
    /// Such a file must not be published as text: its `access` would be ignored.
    let mistake: String?

    /// Splits at `---` and the next `---` (or `...`) on a line of its own.
    ///
    /// TOML stands between two lines of `+++`, JSON between braces.
    ///
    /// Only invisible text may precede the first fence: white space, byte-order marks, zero-width
    /// characters and HTML comments.
    ///
    /// - Parameter file: UTF-8 with line feeds, see ``DecodedText``.
    init(_ file: [UInt8]) {
        let start = FrontMatterStart(in: file)
        let rest = file[start.offset...]
        if let object = JSONObjectRange(at: rest), object.isAlone || !object.isClosed {
            self.init(json: object, in: file, start)
            return
        }
        // A line that is indented by four spaces is code.
        guard start.indentation < 4, let first = TextLine(file.span, at: start.offset),
            first.isFence(["---", "+++"], in: file)
        else {
            self.init(.yaml, nil, 0, file[...], linesBefore: 0, mistake: nil)
            return
        }
        let language = rest.first == UInt8(ascii: "+") ? Language.toml : .yaml
        let fences = language == .toml ? ["+++"] : ["---", "..."]
        var position = first.next
        var lines = start.line
        var hasKey = false
        while let line = TextLine(file.span, at: position) {
            lines += 1
            if line.isFence(fences, in: file, indentation: start.indentation) {
                // Below a comment, a line of '---' may be a thematic break.
                if start.line > 1, !hasKey { break }
                self.init(
                    language,
                    Array(file[first.next..<position]),
                    start.line,
                    file[line.next...],
                    linesBefore: lines,
                    mistake: nil
                )
                return
            }
            hasKey = hasKey || line.hasKey(in: file)
            position = line.next
        }
        let isBreak = start.line > 1 && !hasKey
        let mistake =
            isBreak ? nil : "front matter is not closed: a line '\(fences[0])' is missing"
        self.init(.yaml, nil, 0, file[...], linesBefore: 0, mistake: mistake)
    }

    private init(json object: JSONObjectRange, in file: [UInt8], _ start: FrontMatterStart) {
        let end = object.range.upperBound
        guard object.isClosed else {
            let mistake = "front matter is not closed: a '}' is missing"
            self.init(.json, nil, 0, file[...], linesBefore: 0, mistake: mistake)
            return
        }
        let next = TextLine(file.span, at: end)?.next ?? file.count
        let lines = file[..<end].count { $0 == 10 }
        self.init(
            .json,
            Array(file[object.range]),
            start.line - 1,
            file[next...],
            linesBefore: lines + 1,
            mistake: nil
        )
    }

    private init(
        _ language: Language,
        _ frontMatter: [UInt8]?,
        _ linesAbove: Int,
        _ markdown: ArraySlice<UInt8>,
        linesBefore: Int,
        mistake: String?
    ) {
        self.language = language
        self.frontMatter = frontMatter
        self.linesAbove = linesAbove
        self.markdown = Array(markdown)
        self.linesBefore = linesBefore
        self.mistake = mistake
    }
}
