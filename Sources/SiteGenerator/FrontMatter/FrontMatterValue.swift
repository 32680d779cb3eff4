import Diagnostics

/// A value of front matter with its place, whichever language it was written in.
struct FrontMatterValue: Sendable {
    indirect enum Content: Sendable {
        /// The text as it stands there, and what else it can be read as.
        ///
        /// `title: 2024` is a title all the same.
        case scalar(String, bool: Bool?, number: Double?)
        case list([FrontMatterValue])
        case table([FrontMatterEntry])
    }

    let content: Content
    let location: SourceLocation

    /// The tables that stand there, by themselves or in a list.
    var tables: [[FrontMatterEntry]] {
        switch content {
        case .table(let entries): [entries]
        case .list(let values): values.flatMap(\.tables)
        case .scalar: []
        }
    }

    /// Whether nothing stands there: `title:`.
    var isEmpty: Bool {
        guard case .scalar(let text, _, _) = content else { return false }
        return text.isEmpty
    }

    /// Not empty.
    var text: String? {
        guard case .scalar(let text, _, _) = content, !text.isEmpty else { return nil }
        return text
    }

    var bool: Bool? {
        guard case .scalar(let text, let bool, _) = content else { return nil }
        // In quotes it is a text to YAML, and meant all the same.
        return bool ?? ["true": true, "false": false][text.lowercased()]
    }

    var number: Double? {
        guard case .scalar(let text, _, let number) = content,
            let number = number ?? Double(text), number.isFinite
        else { return nil }
        return number
    }

    /// What a template gets to see.
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
