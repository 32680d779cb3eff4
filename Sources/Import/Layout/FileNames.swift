/// Names of files and folders, made from titles.
///
/// No name leaves its folder, is hidden, has a meaning for sitegen, or differs from another one in
/// the folder by case alone.
struct FileNames {
    private var used: [String: Set<String>] = [:]

    /// - Parameter folder: ends with `/`, or is empty.
    mutating func page(_ title: String, in folder: String) -> String {
        unique(Self.name(title, allowing: "", maximumBytes: 60), "", in: folder)
    }

    mutating func file(_ name: String, in folder: String) -> String {
        var stem = name
        var ending = ""
        if let dot = name.lastIndex(of: "."), dot != name.startIndex {
            let letters = name[name.index(after: dot)...]
            let isPlain = letters.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            if isPlain, (1...10).contains(letters.count) {
                ending = "." + letters
                stem = String(name[..<dot])
            }
        }
        // These would be pages, or pages and scripts to a browser.
        if Self.active.contains(ending.lowercased()) {
            stem += "-" + ending.dropFirst()
            ending = ".txt"
        }
        stem = Self.name(stem, allowing: "_.", maximumBytes: 100)
        return unique(stem, ending, in: folder)
    }

    private static let active: Set<String> = [
        ".css", ".htm", ".html", ".js", ".markdown", ".md", ".mdx", ".mjs", ".shtml", ".xht",
        ".xhtml", ".xml", ".xsl",
    ]

    /// Names that mean something else, to sitegen or to Windows.
    private static let reserved: Set<String> = [
        "aux", "auth", "con", "index", "nul", "page", "prn", "readme", "summary", "tags",
    ]

    private mutating func unique(_ stem: String, _ ending: String, in folder: String) -> String {
        var number = ending.isEmpty && Self.reserved.contains(stem.lowercased()) ? 2 : 1
        while true {
            let name = number == 1 ? stem + ending : "\(stem)-\(number)\(ending)"
            if used[folder, default: []].insert(name.lowercased()).inserted { return name }
            number += 1
        }
    }

    /// Letters and digits of all alphabets, with single dashes between them.
    private static func name(
        _ title: String,
        allowing marks: String,
        maximumBytes: Int
    ) -> String {
        var name = ""
        for scalar in title.unicodeScalars {
            var isKept: Bool
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter, .decimalNumber, .letterNumber, .otherNumber:
                isKept = true
            case .nonspacingMark, .spacingMark: isKept = !name.isEmpty && name.last != "-"
            default: isKept = marks.unicodeScalars.contains(scalar) && !name.isEmpty
            }
            if isKept, scalar == ".", name.last == "." { isKept = false }
            let text =
                isKept ? (marks.isEmpty ? scalar.properties.lowercaseMapping : "\(scalar)") : "-"
            if name.utf8.count + text.utf8.count > maximumBytes { break }
            if isKept || !name.isEmpty && name.last != "-" { name += text }
        }
        while let last = name.last, "-._".contains(last) { name.removeLast() }
        return name.isEmpty ? "untitled" : name
    }
}
