/// Reads a TOML document line by line.
///
/// After a mistake the parser continues with the next line, unless that line may be inside a list,
/// so that a person sees several mistakes at once. This file contains the statements; extensions
/// contain keys, values and tables.
struct TOMLParser {
    /// The maximum nesting of tables and lists.
    static let depthLimit = 100

    let bytes: [UInt8]
    let root = TOMLTable(.root, at: 0..<0)
    /// The offset of the next byte.
    var position: Int
    private(set) var mistakes: [TOMLMistake] = []
    /// The number of open lists.
    ///
    /// After a mistake inside a list, the next line is not a statement.
    var openArrays = 0

    /// The table of the last header; keys are added to it.
    private var table: TOMLTable
    private var tableDepth = 0
    /// Whether the table of the last header is known.
    ///
    /// After a header with a mistake it is unknown, and "defined twice" could be reported wrongly.
    private var isTableKnown = true

    init(_ source: TOMLSource) {
        bytes = source.bytes
        position = 0
        table = root
    }

    mutating func parse() {
        while position < bytes.count, mistakes.count < TOMLMistake.limit {
            do throws(TOMLMistake) {
                try parseStatement()
            } catch {
                mistakes.append(error)
                guard openArrays == 0 else { return }
                skipComment()
                position += 1
            }
        }
    }

    /// A header, a key with its value, or nothing, up to the line end.
    private mutating func parseStatement() throws(TOMLMistake) {
        skipSpaces()
        switch peek {
        case UInt8(ascii: "["): try parseHeader()
        case nil, 10, 13, UInt8(ascii: "#"): break
        default: try parseKeyValue(into: table, depth: tableDepth)
        }
        try parseLineEnd()
    }

    /// `[a.b]` or `[[a.b]]` (TOML 1.0, "Table" and "Array of Tables").
    private mutating func parseHeader() throws(TOMLMistake) {
        let start = position
        position += 1
        let isElement = skip(UInt8(ascii: "["))
        let wasKnown = isTableKnown
        isTableKnown = false
        table = TOMLTable(.header, at: start..<position)
        tableDepth = 0
        let parts = try parseKey()
        let end = isElement ? "]]" : "]"
        guard skip(UInt8(ascii: "]")), !isElement || skip(UInt8(ascii: "]")) else {
            throw mistake("'\(end)' is missing after the name of the table; found \(found)")
        }
        guard parts.count <= Self.depthLimit else { throw tooDeep(at: start) }
        isTableKnown = wasKnown
        do throws(TOMLMistake) {
            let range = start..<position
            table = try isElement ? openElement(parts, range) : openTable(parts, range)
            tableDepth = parts.count
        } catch {
            // The following keys go to a table of their own, so that they contradict nothing.
            report(contradiction: error)
        }
    }

    /// `a.b = value`, as a statement or in an inline table.
    mutating func parseKeyValue(into table: TOMLTable, depth: Int) throws(TOMLMistake) {
        let parts = try parseKey()
        guard skip(UInt8(ascii: "=")) else {
            throw mistake("'=' is missing after the key; found \(found)")
        }
        skipSpaces()
        let value = try parseValue(depth: depth + parts.count)
        do throws(TOMLMistake) {
            try Self.insert(value, parts, into: table)
        } catch {
            report(contradiction: error)
        }
    }

    /// Records a mistake in well-formed text, such as a key that is defined twice.
    private mutating func report(contradiction: TOMLMistake) {
        if isTableKnown { mistakes.append(contradiction) }
    }

    /// The end of a statement: spaces, a comment, and the end of the line or of the text.
    private mutating func parseLineEnd() throws(TOMLMistake) {
        skipSpaces()
        if peek == UInt8(ascii: "#") { skipComment() }
        guard position < bytes.count else { return }
        guard skipNewline() else {
            throw mistake("the line must end here; found \(found)")
        }
    }
}
