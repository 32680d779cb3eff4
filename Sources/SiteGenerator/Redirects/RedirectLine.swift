/// A line of `redirects.map`, which nginx reads as configuration.
///
/// A line of another kind could include files of the server, or send readers to another site.
enum RedirectLine {
    static func text(from url: String, to target: String) -> String {
        let quoted = url.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(quoted)\" \"\(SitePathName.encode(target))\";\n"
    }

    /// Whether a file has only lines that ``text(from:to:)`` writes.
    static func areAll(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        if text.isEmpty { return true }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast() == "" else { return false }
        return lines.allSatisfy(isRedirect)
    }

    private static func isRedirect(_ line: Substring) -> Bool {
        guard line.hasPrefix("\"/"), line.hasSuffix("\";"), line.utf8.count > 7,
            // In a quoted text, the second of these quotation marks has a backslash before it.
            let middle = line.ranges(of: "\" \"").last
        else { return false }
        let quoted = line[line.index(after: line.startIndex)..<middle.lowerBound]
        let target = line[middle.upperBound...].dropLast(2)
        // No URL contains a backslash, so each belongs to a quotation mark.
        let url = String(quoted).replacing("\\\"", with: "\"")
        guard let decoded = SitePathName.decode(target), isPath(url), isPath(decoded) else {
            return false
        }
        return Self.text(from: url, to: decoded) == "\(line)\n"
    }

    private static func isPath(_ url: String) -> Bool {
        url == "/" || SitePathName.mistake(url) == nil
    }
}
