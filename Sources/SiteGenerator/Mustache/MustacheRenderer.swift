import Markdown

/// The values that a part of a template sees, and what surrounds the part.
struct MustacheRenderer {
    let templates: [String: MustacheTemplate]
    /// The innermost is the last.
    var values: [Any]
    /// What stands before each line.
    var indentation: [UInt8] = []
    var blocks: [String: MustacheTemplate] = [:]
    /// How many templates and blocks surround this part.
    var depth = 0
    let limit = Limit()

    /// Ends a rendering that has no end: a template may come to itself through a value that is the
    /// name of a template, or through a block.
    final class Limit {
        static let depth = 100
        var isExceeded = false
    }

    func render(_ template: MustacheTemplate) -> [UInt8] {
        if depth > Limit.depth { limit.isExceeded = true }
        var bytes: [UInt8] = []
        for tag in template.tags where !limit.isExceeded {
            let part = render(tag)
            if part.isEmpty { continue }
            if bytes.last == UInt8(ascii: "\n") { bytes += indentation }
            bytes += part
        }
        return bytes
    }

    private func render(_ tag: MustacheTemplate.Tag) -> [UInt8] {
        switch tag {
        case .text(let text): return text
        case .value(let path, let isEscaped):
            guard let value = value(path), !(value is TemplateContext || value is [Any]) else {
                return []
            }
            let text = (value as? String) ?? "\(value)"
            guard isEscaped else { return Array(text.utf8) }
            var bytes: [UInt8] = []
            HTMLText.escape(text.utf8.span, into: &bytes, apostrophes: true)
            return bytes
        case .section(let path, let isInverted, let template):
            let values = Self.repeated(value(path))
            if isInverted { return values.isEmpty ? render(template) : [] }
            return values.flatMap { value in
                // A truth value has no names.
                value is Bool ? render(template) : adding(value).render(template)
            }
        case .template(let name, let indentation, let blocks):
            guard let template = template(name) else { return [] }
            var inside = inside(indentation)
            inside.blocks.merge(blocks) { outer, _ in outer }
            return inside.render(template)
        case .block(let name, let indentation, let template):
            return inside(indentation).render(blocks[name] ?? template)
        }
    }

    /// The values for which a section is shown, one after the other.
    private static func repeated(_ value: Any?) -> [Any] {
        switch value {
        case let values as [Any]: values
        case let isShown as Bool: isShown ? [isShown] : []
        case .some(let value): [value]
        case nil: []
        }
    }

    private func adding(_ value: Any) -> MustacheRenderer {
        var inside = self
        inside.values.append(value)
        return inside
    }

    private func inside(_ indentation: [UInt8]) -> MustacheRenderer {
        var inside = self
        inside.indentation += indentation
        inside.depth += 1
        return inside
    }

    private func template(_ name: MustacheTemplate.Name) -> MustacheTemplate? {
        switch name {
        case .fixed(let name): templates[name]
        case .value(let path): (value(path) as? String).flatMap { templates[$0] }
        }
    }

    private func value(_ path: MustacheTemplate.Path) -> Any? {
        guard let first = path.names.first else { return values.last }
        // The first name may be one of an outer value, the others are not.
        let start = path.isLocal ? values.suffix(1) : values[...]
        let found = start.reversed().lazy.compactMap { Self.member(first, of: $0) }.first
        return path.names.dropFirst().reduce(found) { Self.member($1, of: $0) }
    }

    private static func member(_ name: String, of value: Any?) -> Any? {
        (value as? TemplateContext)?[name]
    }
}
