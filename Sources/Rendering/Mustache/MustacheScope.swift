/// The templates that a template can name, and what those that name it give to it.
struct MustacheScope: Sendable {
    /// Templates include each other without an end: a template may come to itself through a block,
    /// or through a value that is the name of a template.
    struct EndlessTemplate: Error {}

    /// How deep sections, and templates in templates, may be nested.
    static let maximumDepth = 100

    let templates: [String: MustacheTemplate]
    /// Values that are the same on all pages, by the numbers of their names.
    private let constants: [MustacheValue?]
    /// What the template gets in place of its blocks.
    private(set) var blocks: [String: MustacheTemplate] = [:]
    /// What stands before each line.
    private(set) var indentation: [UInt8] = []
    /// How many templates and blocks surround this one.
    private var depth = 0
    /// Whether a name may be that of a section's value.
    private var isInSection = false

    init(_ templates: [String: MustacheTemplate], constants: [MustacheValue?] = []) {
        self.templates = templates
        self.constants = constants
    }

    /// - Returns: `nil` if there is no template of this name.
    func linked(_ name: String) throws(EndlessTemplate) -> LinkedTemplate? {
        guard let template = templates[name] else { return nil }
        return try LinkedTemplate(template, self)
    }

    /// The value that is here the same on all pages, if there is one; an empty list for none.
    func constant(_ path: MustacheTemplate.Path) -> MustacheValue? {
        guard !isInSection, let number = path.number, number < constants.count,
            let constant = constants[number]
        else { return nil }
        return path.rest.reduce(constant) { $0[$1] ?? .list([]) }
    }

    var inSection: MustacheScope {
        var inside = self
        inside.isInSection = true
        return inside
    }

    /// The scope of a template or block in the place of a tag.
    func inside(
        _ indentation: [UInt8]?,
        _ blocks: [String: MustacheTemplate] = [:]
    ) throws(EndlessTemplate) -> MustacheScope {
        guard depth < Self.maximumDepth else { throw EndlessTemplate() }
        var inside = self
        inside.indentation = indentation.map { self.indentation + $0 } ?? []
        inside.blocks.merge(blocks) { outer, _ in outer }
        inside.depth += 1
        return inside
    }
}
