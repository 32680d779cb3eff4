import CJansson

/// Where and why a text is not JSON.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    public let line: Int
    public let column: Int
    public let reason: String

    public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSON {
    /// Reads one JSON text, and nothing after it.
    ///
    /// Two members of one name, text that is not UTF-8, numbers beyond 64 bits, `\u0000`, and more
    /// than 2,048 levels are errors: if two programs read such a text differently, a signed token
    /// means one thing to its signer and another to siteauth.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var error = json_error_t()
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
        let value = unsafe bytes.withUnsafeBytes { buffer in
            unsafe json_loadb(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                buffer.count,
                flags,
                &error
            )
        }
        guard let value = unsafe value else {
            let reason = unsafe withUnsafeBytes(of: &error.text) { text in
                unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            }
            throw JSONError(
                line: max(1, Int(error.line)),
                column: max(1, Int(error.column)),
                reason: reason.isEmpty ? "no JSON text" : reason
            )
        }
        defer { unsafe shim_json_decref(value) }
        try unsafe self.init(value)
    }

    private init(_ value: UnsafeMutablePointer<json_t>) throws(JSONError) {
        switch unsafe value.pointee.type {
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        case JSON_INTEGER: self = .integer(Int(unsafe json_integer_value(value)))
        case JSON_REAL: self = .number(unsafe json_real_value(value))
        case JSON_STRING: self = .string(unsafe String(cString: json_string_value(value)))
        case JSON_ARRAY:
            var values: [JSON] = []
            for index in 0..<(unsafe json_array_size(value)) {
                if let element = unsafe json_array_get(value, index) {
                    values.append(try unsafe JSON(element))
                }
            }
            self = .array(values)
        case JSON_OBJECT:
            var members = Members()
            var position = unsafe json_object_iter(value)
            while let member = unsafe position {
                if let key = unsafe json_object_iter_key(member),
                    let element = unsafe json_object_iter_value(member)
                {
                    // Jansson compares bytes; to Swift, U+212A and 'K' are equal.
                    let name = unsafe String(cString: key)
                    guard members[name] == nil else {
                        throw JSONError(line: 1, column: 1, reason: "duplicate object key")
                    }
                    members[name] = try unsafe JSON(element)
                }
                unsafe position = json_object_iter_next(value, member)
            }
            self = .object(members)
        default: self = .null
        }
    }
}
