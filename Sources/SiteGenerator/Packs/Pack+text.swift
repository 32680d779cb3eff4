import Access
import Diagnostics

/// The header of a pack as text.
///
/// The parser accepts exactly what ``text`` writes: a second spelling of a name or a number would be
/// a second chance to get past a check.
extension Pack {
    var text: String {
        let base = base.map { "\($0)" } ?? "none"
        var text = "site \(SitePathName.encode(site))\nmade \(made)\nbase \(base)\n"
        for entry in entries { text += "\(entry.isNew ? "new" : "old") \(entry.words)\n" }
        return text + "end \(entries.count)\n"
    }

    init(header: [UInt8]) throws(CommandError) {
        guard header.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 10 }) else {
            throw CommandError("the pack's header is not text")
        }
        // Counted before each line becomes a text: short lines would need many times their memory.
        guard header.count(where: { $0 == 10 }) <= Self.maximumFiles + 4 else {
            throw CommandError("the pack has more than \(Self.maximumFiles) files")
        }
        let text = String(decoding: header, as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popLast() == "", let last = lines.popLast(), lines.count >= 3,
            let site = Self.value(of: "site", lines.removeFirst()).flatMap(Self.decoded),
            let made = Self.value(of: "made", lines.removeFirst()).flatMap(Self.number),
            let base = Self.value(of: "base", lines.removeFirst()),
            last == "end \(lines.count)"
        else { throw CommandError("the pack's header is not complete") }
        let release = Self.number(base)
        guard base == "none" || release ?? 0 > 0 else {
            throw CommandError("the pack's header has a 'base' that is not a release")
        }
        var entries: [Entry] = []
        entries.reserveCapacity(lines.count)
        for (index, line) in lines.enumerated() {
            guard let entry = Self.entry(line) else {
                // Printable ASCII, but perhaps very long.
                throw CommandError(
                    "line \(index + 4) of the pack's header is wrong: '\(line.prefix(200))'"
                )
            }
            entries.append(entry)
        }
        self.init(site: site, made: made, base: release, entries: entries)
        try checkEntries()
    }

    private static func value(of key: String, _ line: Substring) -> Substring? {
        line.hasPrefix("\(key) ") ? line.dropFirst(key.utf8.count + 1) : nil
    }

    private static func entry(_ line: Substring) -> Entry? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 5, words[0] == "new" || words[0] == "old",
            words[1] == "z" || words[1] == "-", let size = number(words[2]),
            let digest = digest(words[3]), let path = decoded(words[4])
        else { return nil }
        return Entry(
            path: path,
            size: size,
            digest: digest,
            isNew: words[0] == "new",
            isCompressed: words[1] == "z"
        )
    }

    private static func decoded(_ text: Substring) -> String? {
        guard let value = PercentEncoding.decode(text), SitePathName.encode(value) == text,
            !value.isEmpty
        else { return nil }
        return value
    }

    /// A decimal number without sign and without zeros at its beginning.
    static func number(_ text: Substring) -> Int? {
        guard text.utf8.count <= 15, let number = Int(text), number >= 0, "\(number)" == text else {
            return nil
        }
        return number
    }

    /// 64 hexadecimal digits in lower case.
    static func digest(_ text: some StringProtocol) -> [UInt8]? {
        bytes(text, count: 32)
    }

    /// Bytes in hexadecimal digits in lower case.
    static func bytes(_ text: some StringProtocol, count: Int) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * count else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 97...102: digit - 87
        default: nil
        }
    }
}
