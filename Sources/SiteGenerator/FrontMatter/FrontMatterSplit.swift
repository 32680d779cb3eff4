/// A file cut into its front matter and its Markdown.
struct FrontMatterSplit {
    /// Without the fences; `nil` where there is none.
    let frontMatter: [UInt8]?
    let markdown: [UInt8]
    /// Lines of the file that come before the Markdown.
    let linesBefore: Int
    /// Why what looks like front matter is none.
    ///
    /// Such a file must not be published as if nothing were said in it: `access` may be.
    let mistake: String?

    /// Cuts at `---` on the first line and the next `---` (or `...`) on a line of its own.
    init(_ file: [UInt8]) {
        var file = file[...]
        // A byte order mark is not text (RFC 3629, section 6).
        if file.starts(with: [0xEF, 0xBB, 0xBF]) { file = file.dropFirst(3) }
        guard let first = Self.line(file, at: file.startIndex), Self.isFence(first.text, ["---"])
        else {
            self.init(nil, Array(file), linesBefore: 0, mistake: Self.strayMistake(file))
            return
        }
        var position = first.next
        var lines = 1
        while let line = Self.line(file, at: position) {
            lines += 1
            if Self.isFence(line.text, ["---", "..."]) {
                let frontMatter = Array(file[first.next..<position])
                self.init(
                    frontMatter,
                    Array(file[line.next...]),
                    linesBefore: lines,
                    mistake: nil
                )
                return
            }
            position = line.next
        }
        let mistake = "front matter is not closed: a line '---' is missing"
        self.init(nil, Array(file), linesBefore: 0, mistake: mistake)
    }

    /// Front matter after an empty line, or in TOML.
    private static func strayMistake(_ file: ArraySlice<UInt8>) -> String? {
        var position = file.startIndex
        while let line = line(file, at: position) {
            if !isFence(line.text, [""]) {
                if isFence(line.text, ["+++"]) {
                    return "front matter in TOML ('+++') is not read here; write it in YAML ('---')"
                }
                guard position > file.startIndex, isFence(line.text, ["---"]) else { return nil }
                return "front matter begins on the first line; this has empty lines above '---'"
            }
            position = line.next
        }
        return nil
    }

    private init(_ frontMatter: [UInt8]?, _ markdown: [UInt8], linesBefore: Int, mistake: String?) {
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
