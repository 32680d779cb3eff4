/// What the first line of a quote makes of it: an alert as GitHub has them, or a division as
/// Microsoft Learn has it.
enum Callout {
    case alert(name: String)
    case division(classes: String)

    /// - Parameter line: `[!NOTE]`, `[!div class="checklist"]`
    init?(_ line: ArraySlice<UInt8>) {
        var text = line
        while let last = text.last, last.isWhitespace { text.removeLast() }
        guard text.starts(with: "[!".utf8), text.last == UInt8(ascii: "]") else { return nil }
        let inside = String(decoding: text.dropFirst(2).dropLast(), as: UTF8.self)
        let name = inside.lowercased()
        if ["note", "tip", "important", "warning", "caution"].contains(name) {
            self = .alert(name: name)
            return
        }
        guard name.hasPrefix("div class=\""), name.hasSuffix("\"") else { return nil }
        let classes = inside.dropFirst("div class=\"".count).dropLast()
        // A class may be named, and nothing else be said.
        guard classes.utf8.allSatisfy({ $0.isLetterOrDigit || " -_".utf8.contains($0) }) else {
            return nil
        }
        self = .division(classes: String(classes))
    }

    /// Whether a quote begins like an alert with a name of its own.
    static func isUnknown(_ text: [UInt8]) -> Bool {
        guard text.starts(with: "[!".utf8) else { return false }
        let name = text.dropFirst(2).prefix { $0.isLetterOrDigit || "-_".utf8.contains($0) }
        let rest = text[name.endIndex...]
        return !name.isEmpty && rest.first == UInt8(ascii: "]")
            && !"([:".utf8.contains(rest.dropFirst().first ?? 0)
    }
}
