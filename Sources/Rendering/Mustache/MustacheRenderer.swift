import HTML

/// Appends a template, with values in place of its tags, to a page.
struct MustacheRenderer {
    /// The outermost values, by the numbers of their names.
    private let numbered: [MustacheValue?]
    /// The values of the open sections; the innermost is the last.
    private var values: [MustacheValue]
    private(set) var page: [UInt8] = []
    private var contents: [Range<Int>] = []

    /// - Parameters:
    ///   - numbered: by the numbers that the parser got for their names.
    ///   - values: in which names without a number are looked up.
    init(numbered: [MustacheValue?] = [], values: [MustacheValue] = [], capacity: Int = 0) {
        self.numbered = numbered
        self.values = values
        page.reserveCapacity(capacity)
    }

    /// The range of ``MustacheValue/content(_:)`` in the page, if it occurs once and unescaped.
    var content: Range<Int>? { contents.count == 1 ? contents[0] : nil }

    mutating func append(
        _ template: LinkedTemplate
    ) throws(MustacheScope.EndlessTemplate) {
        try append(template, template.steps.indices)
    }

    private mutating func append(
        _ template: LinkedTemplate,
        _ steps: Range<Int>
    ) throws(MustacheScope.EndlessTemplate) {
        var index = steps.lowerBound
        while index < steps.upperBound {
            let step = template.steps[index]
            index += 1
            switch step {
            case .text(let range): page += template.text[range]
            case .value(let number, let isEscaped):
                append(value(template.paths[number]), isEscaped)
            case .section(let number, let isInverted, let end):
                try append(template, index..<end, isInverted, value(template.paths[number]))
                index = end
            case .template(let number):
                let (path, scope) = template.named[number]
                guard case .text(let name)? = value(path),
                    let template = try scope.linked(name)
                else { continue }
                try append(template)
            }
        }
    }

    mutating func append(_ value: MustacheValue?, _ isEscaped: Bool) {
        switch value {
        case .text(let text) where isEscaped:
            HTMLText.escape(text.utf8.span, into: &page, apostrophes: true)
        case .text(let text): page += text.utf8
        case .bytes(let text) where isEscaped:
            HTMLText.escape(text.span, into: &page, apostrophes: true)
        case .bytes(let text): page += text
        case .appended(let append) where isEscaped, .content(let append) where isEscaped:
            var text: [UInt8] = []
            append(&text)
            HTMLText.escape(text.span, into: &page, apostrophes: true)
        case .appended(let append): append(&page)
        case .content(let append):
            let start = page.count
            append(&page)
            contents.append(start..<page.count)
        case .truth(let isTrue): page += (isTrue ? "true" : "false").utf8
        case .list, .object, nil: break
        }
    }

    private mutating func append(
        _ template: LinkedTemplate,
        _ section: Range<Int>,
        _ isInverted: Bool,
        _ value: MustacheValue?
    ) throws(MustacheScope.EndlessTemplate) {
        let isShown = value?.isShown ?? false
        if isShown == isInverted { return }
        switch value {
        case .list(let elements) where isShown:
            for element in elements { try append(template, section, with: element) }
        case let value? where isShown: try append(template, section, with: value)
        default: try append(template, section)
        }
    }

    private mutating func append(
        _ template: LinkedTemplate,
        _ section: Range<Int>,
        with value: MustacheValue
    ) throws(MustacheScope.EndlessTemplate) {
        // A truth value has no names.
        if case .truth = value { return try append(template, section) }
        values.append(value)
        try append(template, section)
        values.removeLast()
    }

    private func value(_ path: MustacheTemplate.Path) -> MustacheValue? {
        guard let first = path.first else { return values.last ?? .object([:]) }
        // The first name may be one of an outer value, the others are not.
        var found: MustacheValue?
        var outer = values.count
        repeat {
            outer -= 1
            if outer >= 0 {
                found = values[outer][first]
            } else if let number = path.number {
                found = numbered[number]
            }
        } while found == nil && outer >= 0 && !path.isLocal
        for name in path.rest { found = found?[name] }
        return found
    }
}
