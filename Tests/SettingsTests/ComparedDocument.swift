import Foundation

@testable import Settings

/// A TOML document, and what Python's `tomllib` read in it.
struct ComparedDocument: Sendable {
    let bytes: [UInt8]
    /// The values, or `-` where it is not TOML.
    let verdict: String

    /// The documents of the file beside this one.
    static func read() throws -> [ComparedDocument] {
        let beside = URL(filePath: #filePath).deletingLastPathComponent()
        let file = beside.appending(path: "toml-documents.tsv")
        let lines = try Array(Data(contentsOf: file)).split(separator: 10)
        return lines.map { line in
            let fields = line.split(separator: 9, omittingEmptySubsequences: false)
            return ComparedDocument(
                bytes: unescaped(fields[1]),
                verdict: String(decoding: fields[0], as: UTF8.self)
            )
        }
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\") {
                let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
                bytes.append(UInt8(digits, radix: 16) ?? 0)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// The same for our reader.
    static func verdict(_ document: TOMLDocument) -> String {
        document.mistakes.isEmpty ? written(document.root) : "-"
    }

    private static func written(_ table: TOMLTable) -> String {
        let entries = table.entries.sorted {
            $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8)
        }
        let pairs = entries.map { "\(quoted($0.key.text)):\(written($0.value))" }
        return "{\(pairs.joined(separator: ","))}"
    }

    private static func written(_ value: TOMLValue) -> String {
        switch value.content {
        case .string(let text): return quoted(text)
        case .integer(let number): return "i\(number)"
        case .float(let number):
            return number.isNaN ? "fnan" : "f" + hexadecimal(number.bitPattern, digits: 16)
        case .bool(let bool): return "\(bool)"
        case .date(let date): return "d\(moment(date.text))"
        case .table(let table): return written(table)
        case .array, .tables:
            return "[\((value.elements ?? []).map(written).joined(separator: ","))]"
        }
    }

    private static func quoted(_ text: String) -> String {
        let bytes = text.utf8.map { byte in
            (32..<127).contains(byte) && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "\"")
                ? String(Unicode.Scalar(byte)) : "\\x" + hexadecimal(UInt64(byte), digits: 2)
        }
        return "\"\(bytes.joined())\""
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// As Python's `isoformat` writes it, without zeros at the end of a fraction.
    private static func moment(_ text: String) -> String {
        var text = text.replacingOccurrences(of: "Z", with: "+00:00")
        text = text.replacingOccurrences(of: "-00:00", with: "+00:00")
        guard let point = text.firstIndex(of: ".") else { return text }
        let fraction = text[point...].dropFirst().prefix { $0.isNumber }
        var digits = fraction.prefix(6)
        while digits.last == "0" { digits.removeLast() }
        let offset = text[point...].dropFirst(1 + fraction.count)
        return text[..<point] + (digits.isEmpty ? "" : ".\(digits)") + offset
    }
}
