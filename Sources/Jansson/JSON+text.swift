import CJansson

extension JSON {
    /// The value as compact JSON text, members in their order.
    public var text: String { text(JSON_COMPACT | JSON_ENCODE_ANY) }

    /// The same with an escape for each character that is not ASCII.
    public var asciiText: String { text(JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII) }

    private func text(_ flags: Int32) -> String {
        let value = unsafe reference
        defer { unsafe shim_json_decref(value) }
        guard let text = unsafe json_dumps(value, Int(flags)) else { return "null" }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// The value as a Jansson object, which the caller must release.
    private var reference: UnsafeMutablePointer<json_t>? {
        switch self {
        case .null: return unsafe json_null()
        case .bool(let value): return unsafe value ? json_true() : json_false()
        case .integer(let value): return unsafe json_integer(json_int_t(value))
        case .number(let value): return unsafe json_real(value)
        case .string(let value):
            // The length makes Jansson write a NUL inside the text instead of ending there.
            return unsafe json_stringn(value, value.utf8.count)
        case .array(let values):
            let array = unsafe json_array()
            for value in values { unsafe json_array_append_new(array, value.reference) }
            return unsafe array
        case .object(let members):
            let object = unsafe json_object()
            for name in members.names {
                unsafe json_object_set_new(object, name, (members[name] ?? .null).reference)
            }
            return unsafe object
        }
    }
}
