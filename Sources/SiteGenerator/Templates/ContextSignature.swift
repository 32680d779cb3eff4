/// A context with its texts replaced by placeholders: the rest decides which parts of a template
/// are shown.
struct ContextSignature {
    /// A key that is equal for contexts with equal signatures.
    private(set) var key = ""
    /// The context with a placeholder for each text.
    private(set) var context = TemplateContext()
    /// The texts, in the order of the placeholders.
    private(set) var texts: [[UInt8]] = []
    /// The number of the first placeholder.
    private let first: Int

    /// - Returns: `nil` if the context has values of other types.
    init?(_ context: TemplateContext, first: Int = 0) {
        self.first = first
        guard !context.isEmpty else { return }
        guard let context = placeholders(in: context) else { return nil }
        self.context = context
    }

    private mutating func placeholders(in context: TemplateContext) -> TemplateContext? {
        var signature = TemplateContext()
        for name in context.names.sorted() {
            guard let value = context[name] else { continue }
            // With its length, because a name may contain any of the separators.
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
        // An empty string needs its own signature, because Mustache does not indent it.
        if text.isEmpty {
            key += "=0;"
            return ""
        }
        key += "=s;"
        texts.append(text)
        return CompiledTemplate.placeholder(first + texts.count - 1)
    }
}
