/// Definition and extension of tables (TOML 1.0, "Keys", "Table", "Inline Table" and "Array of
/// Tables").
extension TOMLParser {
    /// The table of a header `[a.b]`.
    func openTable(_ parts: [TOMLKeyPart], _ range: Range<Int>) throws(TOMLMistake) -> TOMLTable {
        let (parent, key) = try descend(parts, range)
        guard let entry = parent[key.text] else {
            let table = TOMLTable(.header, at: range)
            parent.append(key, TOMLValue(content: .table(table), range: range))
            return table
        }
        switch entry.value.content {
        case .table(let table) where table.origin == .parent:
            parent.define(key, table, at: range)
            return table
        case .tables:
            let message =
                "'\(parts.dotted)' is a list of tables; its header is written as [[\(parts.dotted)]]"
            throw Self.contradiction(message, at: range, to: entry)
        default:
            throw Self.contradiction("'\(parts.dotted)' is defined twice", at: range, to: entry)
        }
    }

    /// The table that a header `[[a.b]]` adds to its list.
    func openElement(_ parts: [TOMLKeyPart], _ range: Range<Int>) throws(TOMLMistake) -> TOMLTable {
        let (parent, key) = try descend(parts, range)
        let table = TOMLTable(.element, at: range)
        guard let entry = parent[key.text] else {
            let list = TOMLTableList()
            list.tables.append(table)
            parent.append(key, TOMLValue(content: .tables(list), range: range))
            return table
        }
        guard case .tables(let list) = entry.value.content else {
            let message = "'\(parts.dotted)' is already defined, but not as [[\(parts.dotted)]]"
            throw Self.contradiction(message, at: range, to: entry)
        }
        list.tables.append(table)
        return table
    }

    /// The table that contains the last part of a header, created with its parents if necessary.
    private func descend(
        _ parts: [TOMLKeyPart],
        _ range: Range<Int>
    ) throws(TOMLMistake) -> (TOMLTable, TOMLKeyPart) {
        var table = root
        for part in parts.dropLast() {
            guard let entry = table[part.text] else {
                let inner = TOMLTable(.parent, at: part.range)
                table.append(part, TOMLValue(content: .table(inner), range: part.range))
                table = inner
                continue
            }
            switch entry.value.content {
            case .table(let inner) where inner.origin != .inline: table = inner
            case .tables(let list):
                // A list is created with its first table, so it is never empty.
                guard let last = list.tables.last else { return (table, part) }
                table = last
            case .table:
                let message = "'\(part.text)' is an inline table, which cannot be extended"
                throw Self.contradiction(message, at: range, to: entry)
            default:
                let message = "'\(part.text)' is \(entry.value.kind) and cannot hold a table"
                throw Self.contradiction(message, at: range, to: entry)
            }
        }
        return (table, parts[parts.count - 1])
    }

    /// Inserts a value at its dotted key.
    static func insert(
        _ value: TOMLValue,
        _ parts: [TOMLKeyPart],
        into table: TOMLTable
    ) throws(TOMLMistake) {
        var table = table
        for part in parts.dropLast() {
            guard let entry = table[part.text] else {
                let inner = TOMLTable(.dottedKey, at: part.range)
                table.append(part, TOMLValue(content: .table(inner), range: part.range))
                table = inner
                continue
            }
            guard case .table(let inner) = entry.value.content, inner.takeDottedKey() else {
                let message = "'\(part.text)' is already defined; a dotted key cannot extend it"
                throw Self.contradiction(message, at: part.range, to: entry)
            }
            table = inner
        }
        let key = parts[parts.count - 1]
        if let entry = table[key.text] {
            throw Self.contradiction("'\(parts.dotted)' is defined twice", at: key.range, to: entry)
        }
        table.append(key, value)
    }

    private static func contradiction(
        _ message: String,
        at range: Range<Int>,
        to entry: TOMLTable.Entry
    ) -> TOMLMistake {
        TOMLMistake(
            "is not TOML: \(message)",
            at: range,
            note: .init(message: "'\(entry.key.text)' is defined here", range: entry.key.range)
        )
    }
}
