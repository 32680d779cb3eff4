/// Parameters of a query or a form (`application/x-www-form-urlencoded`); the last one of a name
/// counts.
///
/// It is separate from siteauth's parser on purpose: a shared parser would hide its mistakes from
/// the tests of both.
struct QueryItems: Sendable {
    private(set) var items: [(name: String, value: String)] = []

    /// The parameters, encoded again.
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
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
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

    /// RFC 3986, section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// The value of two hexadecimal digits; a number's initializer would also accept a sign.
    private static func byte(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, let high = digits.first.flatMap(digit),
            let low = digits.last.flatMap(digit)
        else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
