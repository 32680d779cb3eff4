import Bytes

/// Addresses that other tools compute from a tag, such as `[a]({% link b.md %})`.
///
/// A tag of another kind is no address and stays text.
enum TemplateAddress {
    /// A tag with the name of a page or file.
    private struct Row {
        let opening: String
        let closing: String
        let names: Set<String>
        /// What comes before the name; `doc:` means that a page is found by its name.
        let prefix: String
    }

    private static let rows = [
        // Jekyll.
        Row(opening: "{%", closing: "%}", names: ["link"], prefix: "/"),
        Row(opening: "{%", closing: "%}", names: ["post_url"], prefix: "doc:"),
        // Eleventy.
        Row(opening: "{%", closing: "%}", names: ["page", "url"], prefix: "/"),
        // Hugo.
        Row(opening: "{{<", closing: ">}}", names: ["ref", "relref"], prefix: "doc:"),
        Row(opening: "{{%", closing: "%}}", names: ["ref", "relref"], prefix: "doc:"),
    ]

    /// Variables with the address below which the site was published.
    private static let roots: Set<String> = [
        "base.baseurl", "site.baseurl", "site.github.url", "site.url",
    ]
    /// Filters that make an address of a path.
    private static let filters: Set<String> = ["relative_url", "absolute_url", "url"]
    private static let maximumBytes = 300

    /// The address for the tags that begin at a position, and where they end.
    static func scan(_ input: [UInt8], at start: Int) -> (address: String, end: Int)? {
        var address: String?
        var end = start
        while let (part, next) = tag(input, at: end) {
            address = (address ?? "") + part
            end = next
        }
        return address.map { ($0, end) }
    }

    private static func tag(_ input: [UInt8], at start: Int) -> (String, end: Int)? {
        guard start + 1 < input.count, input[start] == UInt8(ascii: "{"),
            "{%".utf8.contains(input[start + 1])
        else { return nil }
        let line = input[start...].prefix(maximumBytes).prefix { !$0.isLineEnd }
        guard let end = (line.indices.dropFirst(2).first { line[$0] == UInt8(ascii: "}") }) else {
            return nil
        }
        let isDouble = input[start + 1] == UInt8(ascii: "{")
        let close = isDouble ? end + 2 : end + 1
        guard close <= line.endIndex, input[close - 1] == UInt8(ascii: "}") else { return nil }
        let text = String(decoding: input[start..<close], as: UTF8.self)
        return self.address(text).map { ($0, close) }
    }

    /// - Parameter tag: from its opening to its closing mark.
    private static func address(_ tag: String) -> String? {
        for row in rows where tag.hasPrefix(row.opening) && tag.hasSuffix(row.closing) {
            let words = words(tag, row.opening, row.closing)
            if words.count == 2, row.names.contains(words[0]) {
                let name = unquoted(words[1])
                return name.hasPrefix("/") && row.prefix == "/" ? name : row.prefix + name
            }
        }
        guard tag.hasPrefix("{{"), tag.hasSuffix("}}") else { return nil }
        let words = words(tag, "{{", "}}")
        let variable = words.first?.lowercased().filter { $0 != "_" } ?? ""
        if words.count == 1, roots.contains(variable) { return "" }
        guard words.count == 3, words[1] == "|", filters.contains(words[2]) else { return nil }
        let path = unquoted(words[0])
        return path == words[0] ? nil : path
    }

    private static func words(_ tag: String, _ opening: String, _ closing: String) -> [String] {
        var inside = tag.dropFirst(opening.count).dropLast(closing.count)
        if inside.hasPrefix("-") { inside.removeFirst() }
        if inside.hasSuffix("-") { inside.removeLast() }
        return inside.split { $0 == " " || $0 == "\t" }.map(String.init)
    }

    private static func unquoted(_ word: String) -> String {
        guard let first = word.first, "\"'`".contains(first), word.count > 1, word.last == first
        else { return word }
        return String(word.dropFirst().dropLast())
    }
}
