import MarkdownWriting

/// The name of a file or a folder in an export of Notion.
struct NotionName {
    /// Without the extension.
    let stem: String
    /// Without the id.
    let title: String
    /// 32 hexadecimal digits, or empty.
    let id: String

    init(_ file: String) {
        var stem = file
        if let dot = file.lastIndex(of: "."), dot != file.startIndex { stem = String(file[..<dot]) }
        if stem.hasSuffix("_all") { stem.removeLast(4) }
        let last = stem.suffix(32)
        let isID =
            last.utf8.count == 32 && last.allSatisfy { $0.isASCII && $0.isHexDigit }
            && (stem.count == 32 || stem.dropLast(32).last == " ")
        self.stem = stem
        id = isID ? String(last) : ""
        title = isID ? stem.dropLast(32).description.trimmedSpaces : stem
    }

    /// The last part of the page's address: its title and its id.
    var aliases: [String] {
        if id.isEmpty { return [] }
        let words = title.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        return [words.isEmpty ? "/\(id)" : "/\(words)-\(id)"]
    }
}

/// Tables as text, with commas between values (RFC 4180).
enum CommaSeparatedValues {
    static func rows(_ bytes: [UInt8]) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var value: [UInt8] = []
        var isQuoted = false
        var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        func endValue() {
            row.append(String(decoding: value, as: UTF8.self))
            value = []
        }
        func endRow() {
            endValue()
            if row != [""] { rows.append(row) }
            row = []
        }
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\"") where isQuoted:
                guard position < bytes.count, bytes[position] == byte else {
                    isQuoted = false
                    continue
                }
                value.append(byte)
                position += 1
            case UInt8(ascii: "\"") where value.isEmpty: isQuoted = true
            case UInt8(ascii: ",") where !isQuoted: endValue()
            case UInt8(ascii: "\n") where !isQuoted: endRow()
            case UInt8(ascii: "\r") where !isQuoted: continue
            default: value.append(byte)
            }
        }
        if !value.isEmpty || !row.isEmpty { endRow() }
        return rows
    }
}
