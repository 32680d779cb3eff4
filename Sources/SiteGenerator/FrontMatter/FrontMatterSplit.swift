/// A file cut into its front matter and its Markdown.
struct FrontMatterSplit {
    enum Language: Sendable { case yaml, toml }

    let language: Language
    /// Without the fences; `nil` where there is none.
    let frontMatter: [UInt8]?
    let markdown: [UInt8]
    /// Lines of the file that come before the Markdown.
    let linesBefore: Int
    /// Why what looks like front matter is none.
    ///
    /// Such a file must not be published as if nothing were said in it: `access` may be.
    let mistake: String?

    /// Cuts at `---` on the first line and the next `---` (or `...`) on a line of its own; TOML
    /// stands between two lines of `+++`.
    init(_ file: [UInt8]) {
        var file = file[...]
        // A byte order mark is not text (RFC 3629, section 6).
        if file.starts(with: [0xEF, 0xBB, 0xBF]) { file = file.dropFirst(3) }
        guard let first = Self.line(file, at: file.startIndex),
            Self.isFence(first.text, ["---", "+++"])
        else {
            self.init(.yaml, nil, Array(file), linesBefore: 0, mistake: Self.strayMistake(file))
            return
        }
        let language = first.text.first == UInt8(ascii: "+") ? Language.toml : .yaml
        let fences = language == .toml ? ["+++"] : ["---", "..."]
        var position = first.next
        var lines = 1
        while let line = Self.line(file, at: position) {
            lines += 1
            if Self.isFence(line.text, fences) {
                let frontMatter = Array(file[first.next..<position])
                self.init(
                    language,
                    frontMatter,
                    Array(file[line.next...]),
                    linesBefore: lines,
                    mistake: nil
                )
                return
            }
            position = line.next
        }
        let mistake = "front matter is not closed: a line '\(fences[0])' is missing"
        self.init(language, nil, Array(file), linesBefore: 0, mistake: mistake)
    }

    /// Front matter after an empty line.
    private static func strayMistake(_ file: ArraySlice<UInt8>) -> String? {
        var position = file.startIndex
        while let line = line(file, at: position) {
            if !isFence(line.text, [""]) {
                guard position > file.startIndex else { return nil }
                for fence in ["---", "+++"] where isFence(line.text, [fence]) {
                    return
                        "front matter begins on the first line; this has empty lines above '\(fence)'"
                }
                return nil
            }
            position = line.next
        }
        return nil
    }

    private init(
        _ language: Language,
        _ frontMatter: [UInt8]?,
        _ markdown: [UInt8],
        linesBefore: Int,
        mistake: String?
    ) {
        self.language = language
        self.frontMatter = frontMatter
        self.markdown = markdown
        self.linesBefore = linesBefore
        self.mistake = mistake
    }

    private static func line(
        _ file: ArraySlice<UInt8>,
        at start: Int
    ) -> (text: ArraySlice<UInt8>, next: Int)? {
        guard start < file.endIndex else { return nil }
        let end = file[start...].firstIndex(of: 10) ?? file.endIndex
        return (file[start..<end], min(end + 1, file.endIndex))
    }

    private static func isFence(_ line: ArraySlice<UInt8>, _ fences: [String]) -> Bool {
        var text = line
        while let last = text.last, [9, 13, 32].contains(last) { text.removeLast() }
        return fences.contains { $0.utf8.elementsEqual(text) }
    }
}
