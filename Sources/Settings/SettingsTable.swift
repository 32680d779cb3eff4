import Diagnostics

/// One table of a settings file.
///
/// The keys that the program reads are the keys that it may contain.
public struct SettingsTable {
    private let file: SettingsFile
    private let table: TOMLTable
    /// The keys that lead to the table, and whether the table is an element of a list.
    private let path: [String]
    private let isElement: Bool

    init(_ file: SettingsFile, _ table: TOMLTable, path: [String], isElement: Bool = false) {
        self.file = file
        self.table = table
        self.path = path
        self.isElement = isElement
    }

    /// The table's keys, sorted.
    public var keys: [String] { table.entries.map(\.key.text).sorted() }

    /// All keys with their values, in the order of the file.
    public var entries: [SettingsValue.Entry] { SettingsValue.entries(table, file) }

    /// Where the table begins: its header, or its braces.
    public var location: SourceLocation {
        path.isEmpty ? file.wholeFile : file.location(table.range)
    }

    /// The location of a key's value; if the key is missing, that of the table.
    public func location(of key: String) -> SourceLocation {
        table[key].map { file.location($0.value.range) } ?? location
    }

    /// Reports a mistake at the value of a key; if the key is missing, at the table.
    public func report(_ message: String, at key: String) {
        file.report(message, at: location(of: key))
    }

    /// Reports a mistake at one element of a list, or at a single value written in place of the
    /// list.
    public func report(_ message: String, at key: String, element index: Int) {
        let elements = table[key]?.value.elements ?? []
        let isThere = elements.indices.contains(index)
        file.report(message, at: isThere ? file.location(elements[index].range) : location(of: key))
    }

    /// Reports a mistake in a key itself.
    public func report(_ message: String, atKey key: String) {
        file.report(message, at: table[key].map { file.location($0.key.range) } ?? location)
    }

    /// Reports a mistake in the table as a whole.
    public func report(_ message: String) { file.report(message, at: location) }

    public func has(_ key: String) -> Bool {
        file.noteAsked(key, in: table)
        return table[key] != nil
    }

    public func string(_ key: String) -> String? { value(key, "a string") { $0.string } }

    public func integer(_ key: String) -> Int? {
        value(key, "a whole number") { value in
            guard case .integer(let number) = value.content else { return nil }
            return number
        }
    }

    public func bool(_ key: String) -> Bool? {
        value(key, "true or false") { value in
            guard case .bool(let bool) = value.content else { return nil }
            return bool
        }
    }

    public func strings(_ key: String) -> [String]? {
        elements(key, "a list of strings") { $0.string }
    }

    /// One string, or a list of strings.
    public func stringOrStrings(_ key: String) -> [String]? {
        if has(key), let text = table[key]?.value.string { return [text] }
        return elements(key, "a string or a list of strings") { $0.string }
    }

    /// A value of any kind.
    public func anything(_ key: String) -> SettingsValue? {
        value(key, "a value") { SettingsValue($0, file) }
    }

    public func table(_ key: String) -> SettingsTable? {
        let inner = value(key, "a table") { $0.table }
        return inner.map { SettingsTable(file, $0, path: path + [key]) }
    }

    /// The tables of a list, which is written as `[[key]]`.
    public func tables(_ key: String) -> [SettingsTable] {
        (elements(key, "a list of tables") { $0.table } ?? []).map {
            SettingsTable(file, $0, path: path + [key], isElement: true)
        }
    }

    /// Reports the keys that were not read.
    ///
    /// Call it after all known keys were read.
    ///
    /// - Parameter hints: unknown keys that are expected, with the remedy for each.
    public func refuseUnknownKeys(hints: [String: String] = [:]) {
        let known = file.keysAsked(in: table)
        for key in keys where !known.contains(key) {
            let owner = path.isEmpty ? "" : " in \(header)"
            let hint = hints[key].map { "; \($0)" } ?? NearestName.hint(key, in: known)
            report("unknown key '\(key)'\(owner)\(hint)", atKey: key)
        }
    }

    /// The header of the table.
    private var header: String {
        let name = path.joined(separator: ".")
        return isElement ? "[[\(name)]]" : "[\(name)]"
    }

    private func value<Value>(
        _ key: String,
        _ expected: String,
        _ read: (TOMLValue) -> Value?
    ) -> Value? {
        file.noteAsked(key, in: table)
        guard let found = table[key]?.value else { return nil }
        if let value = read(found) { return value }
        report("'\(key)' is \(found.kind); it must be \(expected)", at: key)
        return nil
    }

    /// A list whose elements are all of one kind; the first element of another kind is reported.
    private func elements<Element>(
        _ key: String,
        _ expected: String,
        _ read: (TOMLValue) -> Element?
    ) -> [Element]? {
        guard let values = value(key, expected, { $0.elements }) else { return nil }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            guard let element = read(value) else {
                let message = "'\(key)' contains \(value.kind); it must be \(expected)"
                report(message, at: key, element: index)
                return nil
            }
            elements.append(element)
        }
        return elements
    }
}

extension TOMLValue {
    fileprivate var string: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }

    fileprivate var table: TOMLTable? {
        guard case .table(let table) = content else { return nil }
        return table
    }
}
