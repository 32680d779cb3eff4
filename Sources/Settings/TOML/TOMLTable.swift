/// A table of a TOML document; its keys stay in the order of the text.
final class TOMLTable {
    /// What made the table, which decides how it may grow (TOML 1.0, "Table").
    enum Origin {
        case root
        /// Its own header `[a.b]`.
        case header
        /// The header of a table within it, so that its own may still come.
        case parent
        /// `[[a]]`.
        case element
        /// Keys with dots, `a.b = 1`.
        case dottedKey
        /// `{ … }`, which is whole as it stands.
        case inline
    }

    struct Entry {
        let key: TOMLKeyPart
        let value: TOMLValue
    }

    private(set) var origin: Origin
    /// Where the table is made.
    private(set) var range: Range<Int>
    private(set) var entries: [Entry] = []
    /// Where each key is among the entries; empty while the keys are few.
    private var index: [Key: Int] = [:]

    private static let indexedFrom = 9

    init(_ origin: Origin, at range: Range<Int>) {
        self.origin = origin
        self.range = range
    }

    subscript(key: String) -> Entry? { position(of: key).map { entries[$0] } }

    /// Adds a key that is not there yet.
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

    /// Gives the table within, which has been a parent, its own header.
    func define(_ key: TOMLKeyPart, _ table: TOMLTable, at range: Range<Int>) {
        guard let position = position(of: key.text) else { return }
        table.origin = .header
        table.range = range
        let value = TOMLValue(content: .table(table), range: range)
        entries[position] = Entry(key: key, value: value)
    }

    /// Whether a dotted key may add to the table; if so, no header defines it any more.
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
    /// Strings of Swift are equal where Unicode calls them canonically equivalent. TOML has two
    /// keys there; and texts that differ in the order of their marks alone would all have one hash.
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

/// The tables of one `[[key]]`; a class, so that each is added in constant time.
final class TOMLTableList {
    var tables: [TOMLTable] = []
}
