import Fixtures
import Foundation

/// A page with `access: [hr]`, saved and damaged as chance has it.
struct ProtectedPage {
    /// As it was before it was encoded.
    private(set) var text = ""
    private(set) var bytes: [UInt8] = []
    /// What was done to it.
    private(set) var form = ""

    private var random: Chance

    init(seed: UInt64) {
        random = Chance(state: seed &* 0x9E37_79B9_7F4A_7C15)
        text = frontMatter() + body()
        prefix()
        for _ in 0..<pick([0, 0, 1, 1, 2]) { damage() }
        encode()
    }

    /// Whether anything is left that says so: a page that lost the line is an ordinary page.
    var stillSaysAccess: Bool {
        let lines = text.split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        return lines.contains { $0.lowercased().contains("access") && $0.contains("hr") }
            || text.contains("access:\n- hr")
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(random.next() % UInt64(elements.count))]
    }

    private mutating func note(_ word: String) { form += form.isEmpty ? word : " " + word }

    private mutating func frontMatter() -> String {
        let language = pick(["yaml", "yaml", "yaml", "toml", "json"])
        note(language)
        let before = pick([0, 0, 1, 2])
        let after = pick([0, 1, 2])
        func others(_ count: Int, _ line: (String, String) -> String) -> [String] {
            [("title", "Gehälter"), ("description", "Who earns what")].prefix(count).map(line)
        }
        switch language {
        case "toml":
            let line = { (key: String, value: String) in "\(key) = \"\(value)\"" }
            let access = pick(["access = [\"hr\"]", "access = \"hr\"", "access=['hr']"])
            let lines = others(before, line) + [access]
            let tail = after > 0 ? ["weight = \(after)"] : []
            return (["+++"] + lines + tail + ["+++", ""]).joined(separator: "\n")
        case "json":
            let line = { (key: String, value: String) in "\"\(key)\": \"\(value)\"" }
            let access = pick(["\"access\": [\"hr\"]", "\"access\": \"hr\"", "\"access\":[\"hr\"]"])
            let lines =
                others(before, line) + [access] + (after > 0 ? ["\"weight\": \(after)"] : [])
            return pick([
                "{\n  \(lines.joined(separator: ",\n  "))\n}\n",
                "{\(lines.joined(separator: ", "))}\n",
            ])
        default:
            let line = { (key: String, value: String) in "\(key): \(value)" }
            let access = pick([
                "access: [hr]", "access: hr", "access:\n- hr", "access:\n  - hr",
                "access: [\"hr\"]",
                "\"access\": [hr]", "Access: hr", "access : hr",
            ])
            let lines = others(before, line) + [access] + (after > 0 ? ["weight: \(after)"] : [])
            let end = pick(["---", "---", "---", "..."])
            return (["---"] + lines + [end, ""]).joined(separator: "\n")
        }
    }

    private mutating func body() -> String {
        pick([
            "", "\n# Salaries\n\nEverybody earns the same.\n", "Everybody earns the same.\n",
            "\n## One\n\n---\n\nTwo: three\n", "\n```\ncode\n```\n",
        ])
    }

    private mutating func prefix() {
        let prefixes = [
            "", "", "", "", " ", "   ", "\t", "\n", "\n\n", "\u{FEFF}", "\u{FEFF}\u{FEFF}",
            "\u{A0}",
            "\u{200B}", "\u{2060}", "\u{200E}", "\u{3000}", "<!-- SPDX: MIT -->\n",
            "<!--\na\n-->\n\n",
            "<!-- a -->", "\u{C}", "\u{2028}", "\u{AD}",
        ]
        let index = Int(random.next() % UInt64(prefixes.count))
        if !prefixes[index].isEmpty { note("prefix\(index)") }
        text = prefixes[index] + text
    }

    /// Slips of a hand, an editor or a program, in the lines of the front matter.
    private mutating func damage() {
        var scalars = Array(text.unicodeScalars)
        let limit = max(1, min(scalars.count, 90))
        let position = Int(random.next() % UInt64(limit))
        let characters = Array(
            "-+:=.,;{}[]\"' \taxhr~!\u{200B}\u{A0}\u{FEFF}\u{2013}\u{FF1A}".unicodeScalars
        )
        let kind = pick([
            "delete", "insert", "replace", "swap", "drop", "double", "join", "indent", "wrap",
            "break",
        ])
        // Not what nobody does twice by accident.
        if kind == "wrap", form.contains("wrap") { return }
        note(kind)
        var lines = text.components(separatedBy: "\n")
        let line = Int(random.next() % UInt64(min(lines.count, 6)))
        switch kind {
        case "delete": if position < scalars.count { scalars.remove(at: position) }
        case "insert": scalars.insert(pick(characters), at: min(position, scalars.count))
        case "replace": if position < scalars.count { scalars[position] = pick(characters) }
        case "swap":
            if position + 1 < scalars.count { scalars.swapAt(position, position + 1) }
        case "break": scalars.insert("\n", at: min(position, scalars.count))
        case "drop": lines.remove(at: line)
        case "double": lines.insert(lines[line], at: line)
        case "indent": lines[line] = pick([" ", "  ", "    ", "\t"]) + lines[line]
        case "join":
            if line + 1 < lines.count {
                lines[line] += pick([" ", ""]) + lines.remove(at: line + 1)
            }
        default:
            lines.insert(pick(["```", "```yaml", "<!--", "---", "# Title", "Text", "> a"]), at: 0)
        }
        let isOfLines = ["drop", "double", "indent", "join", "wrap"].contains(kind)
        text = isOfLines ? lines.joined(separator: "\n") : String(String.UnicodeScalarView(scalars))
    }

    private mutating func encode() {
        let ends = pick(["\n", "\n", "\r\n", "\r"])
        if ends != "\n" { note(ends == "\r" ? "CR" : "CRLF") }
        let saved = text.replacingOccurrences(of: "\n", with: ends)
        let encodings = [
            "utf8", "utf8", "utf8", "utf8+bom", "utf16le", "utf16be", "bare16", "latin1",
        ]
        let encoding = pick(encodings)
        note(encoding)
        let little = Array(saved.data(using: .utf16LittleEndian) ?? Data())
        switch encoding {
        case "utf8+bom": bytes = [0xEF, 0xBB, 0xBF] + saved.utf8
        case "utf16le": bytes = [0xFF, 0xFE] + little
        case "utf16be":
            bytes = [0xFE, 0xFF] + Array(saved.data(using: .utf16BigEndian) ?? Data())
        case "bare16": bytes = little
        case "latin1":
            let latin = saved.data(using: .isoLatin1, allowLossyConversion: true)
            bytes = Array(latin ?? Data(saved.utf8))
        default: bytes = Array(saved.utf8)
        }
    }
}
