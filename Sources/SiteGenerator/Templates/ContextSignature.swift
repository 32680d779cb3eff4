/// A context with its texts taken out: what is left decides which parts of a template are shown.
struct ContextSignature {
    /// The same for contexts of the same shape.
    private(set) var key = ""
    /// The context with a hole for each text.
    private(set) var context = TemplateContext()
    /// The texts, in the order of the holes.
    private(set) var texts: [[UInt8]] = []
    /// Which of them is the page's ``RawBytes``.
    private(set) var rawText: Int?

    /// - Returns: `nil` for a context with values of other kinds.
    init?(_ context: TemplateContext) {
        guard let context = holes(in: context) else { return nil }
        self.context = context
    }

    private mutating func holes(in context: TemplateContext) -> TemplateContext? {
        var shape = TemplateContext()
        for name in context.names.sorted() {
            guard let value = context[name] else { continue }
            // With its length: a name may hold any of the characters that separate the others.
            key += "\(name.utf8.count):\(name)"
            guard let hole = hole(for: value) else { return nil }
            shape[name] = hole
        }
        key += "}"
        return shape
    }

    private mutating func hole(for value: any Sendable) -> (any Sendable)? {
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
            return holes(in: context)
        case let list as [any Sendable]:
            key += "=["
            var holes: [any Sendable] = []
            for element in list {
                guard let hole = hole(for: element) else { return nil }
                holes.append(hole)
            }
            key += "]"
            return holes
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
        return CompiledTemplate.hole(texts.count - 1)
    }
}

/// A text that is long, as it goes to disk.
struct RawBytes: Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    var description: String { String(decoding: bytes, as: UTF8.self) }
}
