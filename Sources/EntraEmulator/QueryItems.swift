/// Parameters of a query or a form (`application/x-www-form-urlencoded`), the last of a name counts.
///
/// It is written apart from siteauth's on purpose: a parser that both shared would hide a mistake
/// from both.
struct QueryItems: Sendable {
    private(set) var items: [(name: String, value: String)] = []

    /// As it would be written again.
    var text: String { Self.encode(items.map { ($0.name, $0.value) }) }

    init(_ text: some StringProtocol) {
        for pair in text.split(separator: "&") {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            let value = equals == pair.endIndex ? "" : pair[pair.index(after: equals)...]
            items.append((Self.decode(String(pair[..<equals])), Self.decode(String(value))))
        }
    }

    subscript(name: String) -> String? {
        items.last { $0.name == name && !$0.value.isEmpty }?.value
    }

    static func encode(_ items: [(String, String)]) -> String {
        items.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
    }

    static func encode(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isUnreserved =
                byte < 128
                && (character.isLetter || character.isNumber || "-._~".contains(character))
            if isUnreserved { return String(character) }
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }

    private static func decode(_ text: String) -> String {
        var bytes: [UInt8] = []
        var characters = Array(text.utf8)[...]
        while let character = characters.popFirst() {
            if character == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if character == UInt8(ascii: "%"), let byte = byte(characters.prefix(2)) {
                bytes.append(byte)
                characters = characters.dropFirst(2)
            } else {
                bytes.append(character)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Two hexadecimal digits; `UInt8` itself would take a sign for one.
    private static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
