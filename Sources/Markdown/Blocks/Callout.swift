import Bytes

/// The kind of a quote, by its first line: an alert of GitHub, or a division of Microsoft Learn.
enum Callout {
    case alert(Admonition)
    case division(classes: String)

    static let alerts = ["note", "tip", "important", "warning", "caution"]

    /// A quote that is a callout, and the title that its author gave it.
    struct Quote {
        let callout: Callout
        var title: LeafText?
    }

    /// The parts of a line that makes a quote a callout.
    struct Mark {
        let callout: Callout
        /// Where the words behind the mark begin, in bytes of the line.
        var wordsStart: Int?
        /// Whether the mark is written as in Obsidian: `[!note]`, `[!NOTE]-`.
        ///
        /// Words behind such a mark are a title, and those behind `[!NOTE]` begin the text.
        var isObsidian = false
    }

    /// - Parameters:
    ///   - line: `[!NOTE]`, `[!NOTE] text`, `[!note]- Title`, `[!div class="checklist"]`
    ///   - borrowed: whether there are more kinds than GitHub's, which may be folded.
    static func mark(in line: ArraySlice<UInt8>, borrowed: Bool) -> Mark? {
        guard line.starts(with: "[!".utf8),
            let close = line.firstIndex(of: UInt8(ascii: "]"))
        else { return nil }
        let inside = line[(line.startIndex + 2)..<close]
        let rest = line[(close + 1)...]
        let name = String(decoding: inside, as: UTF8.self).lowercased()
        guard alerts.contains(name) || borrowed && Admonition.kinds[name] != nil else {
            guard rest.allSatisfy(\.isWhitespace) else { return nil }
            return division(String(decoding: inside, as: UTF8.self)).map { Mark(callout: $0) }
        }
        let fold = rest.prefix(1).filter { "+-".utf8.contains($0) }.count
        let behind = rest.dropFirst(fold)
        var admonition = Admonition(kind: name)
        if borrowed, fold > 0 {
            admonition.fold = rest.first == UInt8(ascii: "+") ? .open : .closed
        }
        guard behind.first.map(\.isSpaceOrTab) ?? true else { return nil }
        return Mark(
            callout: .alert(admonition),
            wordsStart: behind.firstIndex { !$0.isWhitespace }.map { $0 - line.startIndex },
            isObsidian: fold > 0 || !alerts.contains(name)
                || inside.contains { (97...122).contains($0) }
        )
    }

    /// The box of an aside of DocC, by the word at its beginning.
    static func aside(_ word: ArraySlice<UInt8>) -> Admonition? {
        guard word.count < 12 else { return nil }
        let kind = String(decoding: word, as: UTF8.self)
        return asides.contains(kind) ? Admonition(kind: kind) : nil
    }

    private static let asides: Set<String> = [
        "Attention", "Bug", "Experiment", "Important", "Note", "Tip", "Warning",
    ]

    private static func division(_ inside: String) -> Callout? {
        let name = inside.lowercased()
        guard name.hasPrefix("div class=\""), name.hasSuffix("\"") else { return nil }
        let classes = inside.dropFirst("div class=\"".count).dropLast()
        // No byte that ends the attribute.
        guard classes.utf8.allSatisfy({ $0.isLetterOrDigit || " -_".utf8.contains($0) }) else {
            return nil
        }
        return .division(classes: String(classes))
    }
}
