/// A table of a TOML document.
///
/// Its keys stay in the order of the text.
final class TOMLTable {
    /// What defined the table, which decides how it may be extended (TOML 1.0, "Table").
    enum Origin {
        case root
        /// Its own header `[a.b]`.
        case header
        /// The header of a table inside it, so that its own header may still follow.
        case parent
        /// `[[a]]`.
        case element
        /// Keys with dots, `a.b = 1`.
        case dottedKey
        /// `{ … }`, which cannot be extended.
        case inline
    }

    struct Entry {
        let key: TOMLKeyPart
        let value: TOMLValue
    }

    private(set) var origin: Origin
    /// The location of the definition.
    private(set) var range: Range<Int>
    private(set) var entries: [Entry] = []
    /// The position of each key among the entries; empty while there are few keys.
    private var index: [Key: Int] = [:]

    private static let indexedFrom = 9

    init(_ origin: Origin, at range: Range<Int>) {
        self.origin = origin
        self.range = range
    }

    subscript(key: String) -> Entry? { position(of: key).map { entries[$0] } }

    /// Adds a key that the table does not contain yet.
    func append(_ key: TOMLKeyPart, _ value: TOMLValue) {
        entries.append(Entry(key: key, value: value))
        if entries.count == Self.indexedFrom {
            for (position, entry) in entries.enumerated() {
                index[Key(text: entry.key.text)] = position
            }
        } else if entries.count > Self.indexedFrom {
            index[Key(text: key.text)] = entries.count - 1
        }
    }

    /// Gives a table inside this one, known only as a parent so far, its own header.
    func define(_ key: TOMLKeyPart, _ table: TOMLTable, at range: Range<Int>) {
        guard let position = position(of: key.text) else { return }
        table.origin = .header
        table.range = range
        let value = TOMLValue(content: .table(table), range: range)
        entries[position] = Entry(key: key, value: value)
    }

    /// Returns whether a dotted key may extend the table.
    ///
    /// After that, a header cannot define it.
    func takeDottedKey() -> Bool {
        guard origin == .dottedKey || origin == .parent else { return false }
        origin = .dottedKey
        return true
    }

    private func position(of key: String) -> Int? {
        if entries.count >= Self.indexedFrom { return index[Key(text: key)] }
        return entries.firstIndex { $0.key.text.utf8.elementsEqual(key.utf8) }
    }

    /// A key that equals another only if their bytes do.
    ///
    /// Swift compares strings by canonical equivalence, but TOML compares bytes. Besides, strings
    /// that differ only in the order of combining marks would all have one hash, which an attacker
    /// could use to slow down lookups.
    private struct Key: Hashable {
        let text: String

        static func == (left: Key, right: Key) -> Bool {
            left.text.utf8.elementsEqual(right.text.utf8)
        }

        func hash(into hasher: inout Hasher) {
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}

/// The tables of one `[[key]]`.
///
/// A class, so that appending takes constant time.
final class TOMLTableList {
    var tables: [TOMLTable] = []
}
