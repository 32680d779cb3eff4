import Diagnostics
import TOMLKit

/// One table of a settings file; what is asked of it is what it may hold.
public struct SettingsTable {
    /// The dotted name, empty for the table without one.
    public let name: String

    private let file: SettingsFile
    private let table: TOMLTable

    init(_ file: SettingsFile, name: String, _ table: TOMLTable) {
        self.file = file
        self.name = name
        self.table = table
    }

    /// The keys that are there, sorted.
    public var keys: [String] { table.keys.sorted() }

    public func fullName(of key: String) -> String { name.isEmpty ? key : "\(name).\(key)" }

    public func place(of key: String) -> Place { file.place(of: fullName(of: key)) }

    public func report(_ message: String, at key: String) {
        file.report(message, at: fullName(of: key))
    }

    public func has(_ key: String) -> Bool {
        file.noteAsked(key, in: name)
        return table[key] != nil
    }

    public func string(_ key: String) -> String? { value(key, "a string") { $0.string } }

    public func integer(_ key: String) -> Int? { value(key, "a whole number") { $0.int } }

    public func bool(_ key: String) -> Bool? { value(key, "true or false") { $0.bool } }

    public func strings(_ key: String) -> [String]? {
        value(key, "a list of strings") { value in
            guard let array = value.array else { return nil }
            let strings = array.compactMap(\.string)
            return strings.count == array.count ? strings : nil
        }
    }

    /// One string, or a list of them.
    public func stringOrStrings(_ key: String) -> [String]? {
        if has(key), let text = table[key]?.string { return [text] }
        return strings(key)
    }

    /// A value of any kind.
    public func anything(_ key: String) -> SettingsValue? {
        value(key, "a value") { SettingsValue($0) }
    }

    public func table(_ key: String) -> SettingsTable? {
        let inner = value(key, "a table") { $0.table }
        return inner.map { SettingsTable(file, name: fullName(of: key), $0) }
    }

    /// The tables of a list, as `[[key]]` writes them.
    public func tables(_ key: String) -> [SettingsTable] {
        let found = value(key, "a list of tables") { value -> [TOMLTable]? in
            guard let array = value.array else { return nil }
            let tables = array.compactMap(\.table)
            return tables.count == array.count ? tables : nil
        }
        return (found ?? []).enumerated().map { index, table in
            SettingsTable(file, name: "\(fullName(of: key))[\(index)]", table)
        }
    }

    /// Reports the keys that nobody asked for; call it when all that may be there was asked for.
    public func refuseUnknownKeys() {
        let known = file.keysAsked(in: name)
        for key in keys where !known.contains(key) {
            let owner = name.isEmpty ? "" : " in \(header)"
            let hint = NearestName.hint(key, in: known)
            report("unknown key '\(key)'\(owner)\(hint)", at: key)
        }
    }

    /// The line that begins the table.
    private var header: String {
        var isIndex = false
        let plain = name.filter { character in
            if character == "[" { isIndex = true }
            defer { if character == "]" { isIndex = false } }
            return !isIndex
        }
        return name.hasSuffix("]") ? "[[\(plain)]]" : "[\(plain)]"
    }

    private func value<Value>(
        _ key: String,
        _ expected: String,
        _ read: (any TOMLValueConvertible) -> Value?
    ) -> Value? {
        file.noteAsked(key, in: name)
        guard let found = table[key] else { return nil }
        if let value = read(found) { return value }
        report("'\(key)' is \(Self.kind(found.type)); it must be \(expected)", at: key)
        return nil
    }

    private static func kind(_ type: TOMLType) -> String {
        switch type {
        case .string: "a string"
        case .int: "a whole number"
        case .double: "a number"
        case .bool: "true or false"
        case .array: "a list"
        case .table: "a table"
        case .date, .time, .dateTime: "a date or a time"
        }
    }
}
