/// A file cut into its front matter and its Markdown.
struct FrontMatterSplit {
    /// Without the fences; `nil` where there is none.
    let frontMatter: [UInt8]?
    let markdown: [UInt8]
    /// Lines of the file that come before the Markdown.
    let linesBefore: Int
    /// Whether the closing fence is missing.
    let isUnclosed: Bool

    /// Cuts at `---` on the first line and the next `---` (or `...`) on a line of its own.
    init(_ file: [UInt8]) {
        var file = file[...]
        // A byte order mark is not text (RFC 3629, section 6).
        if file.starts(with: [0xEF, 0xBB, 0xBF]) { file = file.dropFirst(3) }
        guard let first = Self.line(file, at: file.startIndex), Self.isFence(first.text, ["---"])
        else {
            self.init(nil, Array(file), linesBefore: 0, isUnclosed: false)
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
                    isUnclosed: false
                )
                return
            }
            position = line.next
        }
        self.init(nil, Array(file), linesBefore: 0, isUnclosed: true)
    }

    private init(_ frontMatter: [UInt8]?, _ markdown: [UInt8], linesBefore: Int, isUnclosed: Bool) {
        self.frontMatter = frontMatter
        self.markdown = markdown
        self.linesBefore = linesBefore
        self.isUnclosed = isUnclosed
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
