import SourceFolder

/// A line of `redirects.map`, which nginx reads as configuration.
///
/// A line of another kind could include files of the server, or send readers to another site.
///
/// Lines are read and written as bytes, as nginx does it. Swift takes a quotation mark and a
/// combining mark after it for one character, so that neither `"` nor its escape would be found.
package enum RedirectLine {
    /// The greatest length of an address in bytes: more does not fit into nginx's table with a
    /// `map_hash_bucket_size` of 1024.
    package static let maximumBytes = 1000

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    package static func text(from url: String, to target: String) -> String {
        String(decoding: bytes(from: url, to: target), as: UTF8.self)
    }

    private static func bytes(from url: String, to target: String) -> [UInt8] {
        var line = [quote]
        for byte in url.utf8 {
            if byte == quote || byte == backslash { line.append(backslash) }
            line.append(byte)
        }
        line += "\" \"".utf8
        SitePathName.encode(target, into: &line)
        return line + "\";\n".utf8
    }

    /// Whether a file has only lines that ``text(from:to:)`` writes, and no address twice: nginx
    /// refuses a table with an address in two lines, and case does not count there.
    package static func areAll(_ bytes: [UInt8]) -> Bool {
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        guard lines.popLast()?.isEmpty == true else { return false }
        var known: Set<[UInt8]> = []
        return lines.allSatisfy { line in
            guard let url = url(of: line) else { return false }
            return known.insert(folded(url)).inserted
        }
    }

    /// The address in upper and lower case as nginx compares it.
    private static func folded(_ url: String) -> [UInt8] {
        url.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
    }

    /// - Returns: `nil` unless the line is one that ``text(from:to:)`` writes.
    private static func url(of line: ArraySlice<UInt8>) -> String? {
        guard line.first == quote else { return nil }
        var url: [UInt8] = []
        var rest = line.dropFirst()
        while let byte = rest.popFirst(), byte != quote {
            guard byte == backslash else {
                url.append(byte)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            url.append(escaped)
        }
        guard rest.starts(with: " \"".utf8), rest.count > 4, url.count <= maximumBytes,
            let url = String(validating: url, as: UTF8.self),
            let target = String(validating: rest.dropFirst(2).dropLast(2), as: UTF8.self),
            let decoded = SitePathName.decode(target[...]), isPath(url), isPath(decoded),
            bytes(from: url, to: decoded) == Array(line) + [10]
        else { return nil }
        return url
    }

    private static func isPath(_ url: String) -> Bool {
        url == "/" || SitePathName.mistake(url) == nil
    }
}
