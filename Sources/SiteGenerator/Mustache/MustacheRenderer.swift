import Markdown

/// Appends templates, with values in place of their tags, to one page.
struct MustacheRenderer {
    /// Templates include each other without an end: a template may come to itself through a value
    /// that is the name of a template, or through a block.
    struct EndlessTemplate: Error {}

    /// How deep sections, and templates in templates, may be nested.
    static let maximumDepth = 100

    private let templates: [String: MustacheTemplate]
    /// The outermost values, by the numbers of their names.
    private let numbered: [MustacheValue?]
    /// The values of the open sections; the innermost is the last.
    private var values: [MustacheValue]
    private var blocks: [String: MustacheTemplate] = [:]
    /// What stands before each line.
    private var indentation: [UInt8] = []
    /// Whether the next text of a template begins a line of it.
    ///
    /// A line feed in a value begins none.
    private var isLineStart = true
    /// How many templates and blocks surround this part.
    private var depth = 0
    private(set) var page: [UInt8] = []
    private var contents: [Range<Int>] = []

    /// - Parameters:
    ///   - numbered: by the numbers that the parser got for their names.
    ///   - values: in which names without a number are looked up.
    init(
        _ templates: [String: MustacheTemplate],
        numbered: [MustacheValue?] = [],
        values: [MustacheValue] = [],
        capacity: Int = 0
    ) {
        self.templates = templates
        self.numbered = numbered
        self.values = values
        page.reserveCapacity(capacity)
    }

    /// The range of ``MustacheValue/content(_:)`` in the page, if it occurs once and unescaped.
    var content: Range<Int>? { contents.count == 1 ? contents[0] : nil }

    mutating func append(_ template: MustacheTemplate) throws(EndlessTemplate) {
        for tag in template.tags {
            switch tag {
            case .text(let text): append(text)
            case .value(let path, let isEscaped): append(value(path), isEscaped)
            case .section(let path, let isInverted, let section):
                try append(section, isInverted, value(path))
            case .template(let name, let indentation, let blocks):
                guard let template = self.template(name) else { continue }
                let outer = self.blocks
                self.blocks.merge(blocks) { outer, _ in outer }
                try append(template, indentation)
                self.blocks = outer
            case .block(let name, let indentation, let template):
                if let replacement = blocks[name] {
                    try append(replacement, indentation)
                } else {
                    try append(template)
                }
            }
        }
    }

    private mutating func append(_ text: [UInt8]) {
        if indentation.isEmpty {
            page += text
            isLineStart = text.last == UInt8(ascii: "\n")
            return
        }
        for byte in text {
            startLine()
            page.append(byte)
            isLineStart = byte == UInt8(ascii: "\n")
        }
    }

    private mutating func startLine() {
        if isLineStart { page += indentation }
        isLineStart = false
    }

    private mutating func append(_ value: MustacheValue?, _ isEscaped: Bool) {
        startLine()
        switch value {
        case .text(let text) where isEscaped:
            HTMLText.escape(text.span, into: &page, apostrophes: true)
        case .text(let text): page += text
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
        _ section: MustacheTemplate,
        _ isInverted: Bool,
        _ value: MustacheValue?
    ) throws(EndlessTemplate) {
        let elements: [MustacheValue] =
            switch value {
            case nil, .truth(false): []
            case .list(let elements): elements
            case let value?: [value]
            }
        if isInverted {
            if elements.isEmpty { try append(section) }
            return
        }
        for element in elements {
            // A truth value has no names.
            if case .truth = element {
                try append(section)
            } else {
                values.append(element)
                try append(section)
                values.removeLast()
            }
        }
    }

    /// Appends a template or block in place of a tag.
    private mutating func append(
        _ template: MustacheTemplate,
        _ indentation: [UInt8]?
    ) throws(EndlessTemplate) {
        guard depth < Self.maximumDepth else { throw EndlessTemplate() }
        let outer = self.indentation
        if let indentation {
            self.indentation += indentation
            isLineStart = true
        } else {
            self.indentation = []
        }
        depth += 1
        try append(template)
        depth -= 1
        self.indentation = outer
    }

    private func template(_ name: MustacheTemplate.Name) -> MustacheTemplate? {
        switch name {
        case .fixed(let name): return templates[name]
        case .value(let path):
            guard case .text(let name)? = value(path) else { return nil }
            return templates[String(decoding: name, as: UTF8.self)]
        }
    }

    private func value(_ path: MustacheTemplate.Path) -> MustacheValue? {
        guard let first = path.names.first else { return values.last ?? .object([:]) }
        // The first name may be one of an outer value, the others are not.
        var found: MustacheValue?
        let isOutermost = !path.isLocal || values.isEmpty
        if isOutermost, let number = path.number { found = numbered[number] }
        for value in path.isLocal ? values.suffix(1) : values[...] {
            if let member = Self.member(first, of: value) { found = member }
        }
        for name in path.names.dropFirst() { found = Self.member(name, of: found) }
        return found
    }

    private static func member(_ name: String, of value: MustacheValue?) -> MustacheValue? {
        guard case .object(let members)? = value else { return nil }
        return members[name]
    }
}
