/// A page of Notion: a heading, the values of a database's row, and Markdown.
struct NotionText {
    let title: String
    private(set) var tags: [String] = []
    /// The files that the page links, in their order.
    private(set) var links: [String] = []
    private var properties: [(key: String, value: String)] = []
    private var lines: [Substring] = []

    init(title: String) { self.title = title }

    /// - Parameter fallback: the title of a page without a heading.
    init(_ bytes: [UInt8], path: String, fallback: String) {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }[...]
        while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
        var title = fallback
        if let first = lines.first, first.hasPrefix("# ") {
            title = String(first.dropFirst(2)).words
            lines.removeFirst()
            while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
            // Lines such as 'Status: Done' up to the first empty one are values.
            let block = lines.prefix { !$0.allSatisfy(\.isWhitespace) }
            let values = block.map(Self.property)
            if !values.isEmpty, values.allSatisfy({ $0 != nil }) {
                properties = values.compactMap { $0 }
                lines = lines.dropFirst(values.count)
            }
        }
        self.title = title
        self.lines = Array(lines)
        for (key, value) in properties where key.lowercased() == "tags" {
            tags = value.split(separator: ",").map { String($0).words }
        }
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        for line in self.lines {
            _ = NotionLine.rewritten(line) { address, text, _ in
                if let file = Self.path(address, from: folder) { links.append(file) }
                return text
            }
        }
    }

    private static func property(_ line: Substring) -> (key: String, value: String)? {
        guard let colon = line.firstIndex(of: ":"), line.first?.isLetter == true else { return nil }
        let rest = line[line.index(after: colon)...]
        guard rest.isEmpty || rest.first == " ", line[..<colon].count <= 60 else { return nil }
        return (String(line[..<colon]), String(rest).words)
    }

    /// The file that a relative address names; `nil` outside the export.
    static func path(_ address: String, from folder: String) -> String? {
        if address.contains("://") || address.hasPrefix("#") { return nil }
        var parts = folder.split(separator: "/").map(String.init)
        let path = PercentEncoding.decoded(address.prefix { $0 != "#" && $0 != "?" })
        for part in path.split(separator: "/") {
            if part == ".." {
                if parts.popLast() == nil { return nil }
            } else if part != "." {
                parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }

    func markdown(_ page: PageConversion) -> String {
        var result: [String] = []
        for (key, value) in properties {
            let value = NotionLine.rewritten(value[...], link(page))
            result.append("- **\(MarkdownText.escaped(key))**: \(value)")
        }
        if !properties.isEmpty, lines.first?.isEmpty == false { result.append("") }
        var rest = lines[...]
        var isInBox = false
        func add(_ line: String) {
            result.append(isInBox ? (line.isEmpty ? ">" : "> " + line) : line)
        }
        while let line = rest.popFirst() {
            let content = line.drop { $0 == " " || $0 == "\t" }
            let indentation = line.prefix(line.count - content.count)
            let fence = content.prefix { $0 == "`" }
            if fence.count >= 3 {
                let code = rest.prefix { !$0.drop { $0 == " " || $0 == "\t" }.hasPrefix(fence) }
                rest = rest.dropFirst(code.count + 1)
                let text = code.map { line in
                    line.hasPrefix(indentation) ? line.dropFirst(indentation.count) : line
                }
                let language = String(content.dropFirst(fence.count)).words
                let block = MarkdownText.codeBlock(
                    text.joined(separator: "\n"),
                    language: language == "mermaid" ? "" : language
                )
                for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
                    add(line.isEmpty ? "" : String(indentation + line))
                }
                continue
            }
            if content.lowercased().hasPrefix("<aside>") {
                let first = String(content.dropFirst(7)).words
                add("")
                isInBox = true
                add("[!NOTE]")
                if !first.isEmpty { add(NotionLine.rewritten(first[...], link(page))) }
            } else if isInBox, content.lowercased().hasPrefix("</aside>") {
                while result.last == ">" { result.removeLast() }
                isInBox = false
            } else if content.count >= 3, content.allSatisfy({ $0 == "-" }) {
                add("***")
            } else {
                add(String(indentation) + NotionLine.rewritten(content, link(page)))
            }
        }
        return result.joined(separator: "\n").trimmedSpaces
    }

    private func link(_ page: PageConversion) -> NotionLine.Link {
        { address, text, isImage in
            if isImage { return page.image(.element("img", ["src": address, "alt": text])) }
            return page.link(address, text: text)
        }
    }
}
