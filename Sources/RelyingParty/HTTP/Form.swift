import Access

/// Parameters of a query or of a form (`application/x-www-form-urlencoded`).
struct Form: Sendable {
    private var values: [String: String] = [:]

    var isEmpty: Bool { values.isEmpty }

    /// Reads parameters, or returns `nil` if a name occurs twice, a value is not UTF-8, or the
    /// encoding is wrong.
    ///
    /// If a name occurs twice, two programs may take different values: the attacker's `state`
    /// beside ours. `st%61te` is `state` here as everywhere.
    init?(_ text: String) {
        guard text.utf8.count <= 64 << 10 else { return nil }
        // By bytes, as other programs do it: in Swift, `&` and a combining accent are one Character,
        // and the parameter behind it would be a part of the value before.
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = Self.decode(Substring(parts[0])),
                let value = Self.decode(parts.count > 1 ? Substring(parts[1]) : ""),
                values.updateValue(value, forKey: name) == nil
            else { return nil }
        }
    }

    /// A value that is not empty, or `nil`.
    subscript(name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    /// A value even if it is empty: `iss=` names an issuer, which no provider is.
    func present(_ name: String) -> String? { values[name] }

    /// Writes parameters in their order.
    static func encode(_ parameters: [(String, String)]) -> String {
        parameters.map { name, value in
            "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
        }.joined(separator: "&")
    }

    private static func decode(_ text: Substring) -> String? {
        PercentEncoding.bytes(text, plusIsSpace: true).flatMap {
            $0.contains(0) ? nil : String(validating: $0, as: UTF8.self)
        }
    }
}
