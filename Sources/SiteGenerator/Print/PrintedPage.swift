import HTML

/// The text of a page inside a file that has other pages beside it.
///
/// Ids get a prefix, links to printed pages stay inside the file, and pictures become part of it.
struct PrintedPage {
    /// Before each id of the page.
    let prefix: String
    /// The prefixes of the printed pages by their encoded URLs.
    let prefixes: [String: String]
    /// The origin of the site, for links to what is not in the file.
    let baseURL: String?
    /// The file at a path of the site as a `data:` URL; `nil` if it is not for this reader.
    let file: (String) -> String?

    func append(_ html: [UInt8], to output: inout [UInt8]) {
        let span = html.span
        var (position, written) = (0, 0)
        while position < span.count {
            guard span[position] == UInt8(ascii: "<") else {
                position += 1
                continue
            }
            if let comment = HTMLMarkup.endOfComment(span, at: position) {
                position = comment.end
                continue
            }
            guard HTMLMarkup.isTag(span, at: position) else {
                position += 1
                continue
            }
            var changes: [(range: Range<Int>, value: String)] = []
            let tag = HTMLMarkup.tag(span, at: position) { attribute in
                var range = attribute.value
                if attribute.isQuoted { range = range.lowerBound + 1..<range.upperBound - 1 }
                if range.isEmpty { return }
                let name = String(decoding: html[attribute.name], as: UTF8.self).lowercased()
                let value = String(decoding: html[range], as: UTF8.self)
                if let new = changed(name, value) {
                    changes.append((attribute.value, "\"\(new)\""))
                }
            }
            guard let tag else { break }
            for change in changes {
                output += html[written..<change.range.lowerBound]
                output += change.value.utf8
                written = change.range.upperBound
            }
            position = tag.end
            let name = String(decoding: html[tag.name], as: UTF8.self).lowercased()
            if name == "style" || name == "script" {
                position = HTMLMarkup.endOfRawText(span, from: position, of: tag.name)
            }
        }
        output += html[written...]
    }

    /// The new value of an attribute, or `nil` if it stays.
    ///
    /// Values are escaped, before and after.
    private func changed(_ name: String, _ value: String) -> String? {
        switch name {
        case "id": return "\(prefix)-\(value)"
        case "for", "list", "popovertarget", "aria-labelledby", "aria-describedby", "aria-controls",
            "aria-details", "aria-owns", "headers":
            return value.utf8.split(separator: UInt8(ascii: " "))
                .map { "\(prefix)-\($0)" }.joined(separator: " ")
        case "href", "xlink:href": return link(value)
        case "src", "poster", "data":
            return value.hasPrefix("/") && !value.hasPrefix("//") ? file(value) : nil
        // Beside the picture itself, other sizes are not needed.
        case "srcset": return ""
        default:
            return value.contains("url(#") ? value.replacing("url(#", with: "url(#\(prefix)-") : nil
        }
    }

    private func link(_ value: String) -> String? {
        // By bytes, because '#' with a combining mark is another character in Swift.
        let parts = value.utf8.split(
            separator: UInt8(ascii: "#"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
        guard let path = parts.first?.utf8.prefix(while: { $0 != UInt8(ascii: "?") }) else {
            return nil
        }
        let fragment = parts.count > 1 ? "-\(parts[1])" : ""
        if path.isEmpty { return "#\(prefix)\(fragment)" }
        guard value.hasPrefix("/"), !value.hasPrefix("//") else { return nil }
        guard let page = prefixes[String(Substring(path))] else {
            return baseURL.map { $0 + value }
        }
        return "#\(page)\(fragment)"
    }
}
