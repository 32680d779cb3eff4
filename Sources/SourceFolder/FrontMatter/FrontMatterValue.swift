import Diagnostics

/// The keys of front matter, or why they cannot be read.
typealias ParsedFrontMatter = (entries: [FrontMatterEntry], diagnostics: [Diagnostic])

/// A value of front matter with its location, in whichever language it was written.
package struct FrontMatterValue: Sendable {
    package enum Content: Sendable {
        /// No value: `title:`, `title: ~` and `title: null` in YAML, `null` in JSON.
        case null
        /// The source text, and the other types as which it can be read.
        ///
        /// For example, `title: 2024` is a title, although 2024 is a number.
        case scalar(String, bool: Bool?, number: Double?)
        case list([FrontMatterValue])
        case table([FrontMatterEntry])
    }

    package let content: Content
    package let location: SourceLocation

    /// The tables in the value: the value itself, or elements of a list.
    package var tables: [[FrontMatterEntry]] {
        switch content {
        case .table(let entries): [entries]
        case .list(let values): values.flatMap(\.tables)
        case .scalar, .null: []
        }
    }

    /// Whether the key counts as absent: it has no value, or a text that nobody sees.
    package var isEmpty: Bool {
        switch content {
        case .null: true
        case .scalar(let text, _, _): text.allSatisfy(\.isWhitespace)
        case .list, .table: false
        }
    }

    /// The value without elements and keys that have no value.
    ///
    /// - Parameter left: gets what is left out: a key, or `nil` for an element of a list.
    func withoutNull(_ left: inout [(key: String?, location: SourceLocation)]) -> FrontMatterValue {
        switch content {
        case .null, .scalar: return self
        case .list(let values):
            let kept = values.compactMap { value -> FrontMatterValue? in
                guard case .null = value.content else { return value.withoutNull(&left) }
                left.append((nil, value.location))
                return nil
            }
            return FrontMatterValue(content: .list(kept), location: location)
        case .table(let entries):
            let kept = entries.compactMap { entry -> FrontMatterEntry? in
                var entry = entry
                if case .null = entry.value.content {
                    left.append((entry.key, entry.keyLocation))
                    return nil
                }
                entry.value = entry.value.withoutNull(&left)
                return entry
            }
            return FrontMatterValue(content: .table(kept), location: location)
        }
    }

    /// `nil` if it is empty.
    package var text: String? {
        guard case .scalar(let text, _, _) = content, !text.isEmpty else { return nil }
        return text
    }

    package var bool: Bool? {
        guard case .scalar(let text, let bool, _) = content else { return nil }
        // Quoted, `"true"` is a string in YAML, but the author means the truth value.
        return bool ?? ["true": true, "false": false][text.lowercased()]
    }

    package var number: Double? {
        guard case .scalar(let text, _, let number) = content,
            let number = number ?? Double(text), number.isFinite
        else { return nil }
        return number
    }
}

/// One key of front matter.
package struct FrontMatterEntry: Sendable {
    package let key: String
    let keyLocation: SourceLocation
    package var value: FrontMatterValue
}
