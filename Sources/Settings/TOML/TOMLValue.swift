/// A value of a TOML document, and the bytes in which it is written.
struct TOMLValue {
    enum Content {
        case string(String)
        case integer(Int)
        case float(Double)
        case bool(Bool)
        case date(TOMLDate)
        /// A list in brackets.
        case array([TOMLValue])
        /// A list of tables, as `[[key]]` headers write it.
        case tables(TOMLTableList)
        case table(TOMLTable)
    }

    let content: Content
    /// The header, where a table or a list of tables has one.
    let range: Range<Int>

    /// The name of its kind, as a message uses it.
    var kind: String {
        switch content {
        case .string: "a string"
        case .integer: "a whole number"
        case .float: "a number"
        case .bool: "true or false"
        case .date: "a date or a time"
        case .array, .tables: "a list"
        case .table: "a table"
        }
    }

    /// The elements, of whichever kind of list.
    var elements: [TOMLValue]? {
        switch content {
        case .array(let values): values
        case .tables(let list):
            list.tables.map { TOMLValue(content: .table($0), range: $0.range) }
        default: nil
        }
    }
}
