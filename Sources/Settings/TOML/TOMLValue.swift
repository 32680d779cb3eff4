/// A value of a TOML document, with the range of its bytes.
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
    /// For a table with a header, the range of the header.
    let range: Range<Int>

    /// The kind of the value, for messages.
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

    /// The elements, for both kinds of lists.
    var elements: [TOMLValue]? {
        switch content {
        case .array(let values): values
        case .tables(let list):
            list.tables.map { TOMLValue(content: .table($0), range: $0.range) }
        default: nil
        }
    }
}
