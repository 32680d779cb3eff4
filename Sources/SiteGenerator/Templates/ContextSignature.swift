/// A context with its texts taken out: what is left decides which parts of a template are shown.
struct ContextSignature {
    /// The same for contexts of the same shape.
    private(set) var key = ""
    /// The context with a placeholder for each text.
    private(set) var context = TemplateContext()
    /// The texts, in the order of the placeholders.
    private(set) var texts: [[UInt8]] = []
    /// Which of them is the page's ``RawBytes``.
    private(set) var rawText: Int?

    /// - Returns: `nil` for a context with values of other kinds.
    init?(_ context: TemplateContext) {
        guard let context = placeholders(in: context) else { return nil }
        self.context = context
    }

    private mutating func placeholders(in context: TemplateContext) -> TemplateContext? {
        var signature = TemplateContext()
        for name in context.names.sorted() {
            guard let value = context[name] else { continue }
            // With its length: a name may hold any of the characters that separate the others.
            key += "\(name.utf8.count):\(name)"
            guard let placeholder = placeholder(for: value) else { return nil }
            signature[name] = placeholder
        }
        key += "}"
        return signature
    }

    private mutating func placeholder(for value: any Sendable) -> (any Sendable)? {
        switch value {
        case let text as String: return take(Array(text.utf8))
        case let html as RawBytes:
            if !html.bytes.isEmpty { rawText = texts.count }
            return take(html.bytes)
        case let flag as Bool:
            key += flag ? "=+;" : "=-;"
            return flag
        case let context as TemplateContext:
            key += "={"
            return placeholders(in: context)
        case let list as [any Sendable]:
            key += "=["
            var placeholders: [any Sendable] = []
            for element in list {
                guard let placeholder = placeholder(for: element) else { return nil }
                placeholders.append(placeholder)
            }
            key += "]"
            return placeholders
        default: return nil
        }
    }

    private mutating func take(_ text: [UInt8]) -> String {
        // Nothing, too, has a shape: Mustache does not indent it.
        if text.isEmpty {
            key += "=0;"
            return ""
        }
        key += "=s;"
        texts.append(text)
        return CompiledTemplate.placeholder(texts.count - 1)
    }
}

/// A text that is long, as it goes to disk.
struct RawBytes: Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    var description: String { String(decoding: bytes, as: UTF8.self) }
}
