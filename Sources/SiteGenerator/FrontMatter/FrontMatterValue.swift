import Diagnostics

/// A value of front matter with its location, in whichever language it was written.
struct FrontMatterValue: Sendable {
    enum Content: Sendable {
        /// The source text, and the other types as which it can be read.
        ///
        /// For example, `title: 2024` is a title, although 2024 is a number.
        case scalar(String, bool: Bool?, number: Double?)
        case list([FrontMatterValue])
        case table([FrontMatterEntry])
    }

    let content: Content
    let location: SourceLocation

    /// The tables in the value: the value itself, or elements of a list.
    var tables: [[FrontMatterEntry]] {
        switch content {
        case .table(let entries): [entries]
        case .list(let values): values.flatMap(\.tables)
        case .scalar: []
        }
    }

    /// Whether the key has no value: `title:`.
    var isEmpty: Bool {
        guard case .scalar(let text, _, _) = content else { return false }
        return text.isEmpty
    }

    /// `nil` if it is empty.
    var text: String? {
        guard case .scalar(let text, _, _) = content, !text.isEmpty else { return nil }
        return text
    }

    var bool: Bool? {
        guard case .scalar(let text, let bool, _) = content else { return nil }
        // Quoted, `"true"` is a string in YAML, but the author means the truth value.
        return bool ?? ["true": true, "false": false][text.lowercased()]
    }

    var number: Double? {
        guard case .scalar(let text, _, let number) = content,
            let number = number ?? Double(text), number.isFinite
        else { return nil }
        return number
    }

    /// The value as templates see it.
    var templateValue: any Sendable {
        switch content {
        case .scalar(let text, let bool, _): bool ?? (text.isEmpty ? false as any Sendable : text)
        case .list(let values): values.map(\.templateValue)
        case .table(let entries): FrontMatterEntry.templateValue(entries)
        }
    }
}

/// One key of front matter.
struct FrontMatterEntry: Sendable {
    let key: String
    let keyLocation: SourceLocation
    let value: FrontMatterValue

    static func templateValue(_ entries: [FrontMatterEntry]) -> TemplateContext {
        var context = TemplateContext()
        for entry in entries { context[entry.key] = entry.value.templateValue }
        return context
    }
}
