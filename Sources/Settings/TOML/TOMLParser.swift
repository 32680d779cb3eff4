/// Reads a TOML document line by line.
///
/// After a mistake it goes on with the next line, where that is sure to be the beginning of a
/// statement, so that a person sees several mistakes at once. This file holds the statements;
/// extensions hold keys, values and the growth of tables.
struct TOMLParser {
    /// How many tables and lists may be nested.
    static let depthLimit = 100

    let bytes: [UInt8]
    let root = TOMLTable(.root, at: 0..<0)
    /// The offset of the byte that is read next.
    var position: Int
    private(set) var mistakes: [TOMLMistake] = []
    /// How many lists are open; what follows a mistake in one of them is no statement.
    var openArrays = 0

    /// The table of the last header, to which keys belong.
    private var table: TOMLTable
    private var tableDepth = 0
    /// Whether it is known to which table the keys belong.
    ///
    /// After a header that cannot be read it is not, and "defined twice" may be wrong from there.
    private var isTableKnown = true

    init(_ source: TOMLSource) {
        bytes = source.bytes
        position = source.start
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

    /// A header, a key with its value, or neither, up to the end of the line.
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
            // The keys below go to a table of their own, so that they contradict nothing.
            report(contradiction: error)
        }
    }

    /// `a.b = value`, in a line or in an inline table.
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

    /// Notes a mistake in what is well written, such as a key that is there twice.
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
