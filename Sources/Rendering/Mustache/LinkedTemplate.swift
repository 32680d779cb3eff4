/// A template with others in the places of the tags that name them.
///
/// Pages are made of it by the thousand, so its steps are values without references, in one array.
struct LinkedTemplate: Sendable {
    enum Step: Sendable {
        case text(Range<Int>)
        /// The number of a path.
        case value(Int, isEscaped: Bool)
        /// The number of a path, and the end of the steps that are shown for its value.
        case section(Int, isInverted: Bool, end: Int)
        /// The number of a template that a value names.
        case template(Int)
    }

    private(set) var text: [UInt8] = []
    private(set) var steps: [Step] = []
    private(set) var paths: [MustacheTemplate.Path] = []
    private(set) var named: [(path: MustacheTemplate.Path, scope: MustacheScope)] = []
    /// The start of the text that is in no step yet.
    private var textStart = 0

    init(
        _ template: MustacheTemplate,
        _ scope: MustacheScope
    ) throws(MustacheScope.EndlessTemplate) {
        try append(template, scope)
        endText()
    }

    private mutating func append(
        _ template: MustacheTemplate,
        _ scope: MustacheScope
    ) throws(MustacheScope.EndlessTemplate) {
        for tag in template.tags {
            switch tag {
            case .text(let words, let startsLine):
                if startsLine { text += scope.indentation }
                text += words
            case .value(let path, let isEscaped):
                if let constant = scope.constant(path) {
                    var renderer = MustacheRenderer()
                    renderer.append(constant, isEscaped)
                    text += renderer.page
                } else {
                    append(.value(paths.count, isEscaped: isEscaped))
                    paths.append(path)
                }
            case .section(let path, let isInverted, let section):
                let constant = scope.constant(path)
                if constant?.isShown == isInverted { continue }
                if case .truth? = constant {
                    try append(section, scope)
                    continue
                }
                let number = paths.count
                append(.section(number, isInverted: isInverted, end: 0))
                paths.append(path)
                let start = steps.count
                try append(section, isInverted ? scope : scope.inSection)
                endText()
                steps[start - 1] = .section(number, isInverted: isInverted, end: steps.count)
            case .template(.fixed(let name), let indentation, let blocks):
                guard let template = scope.templates[name] else { continue }
                try append(template, try scope.inside(indentation, blocks))
            case .template(.value(let path), let indentation, let blocks):
                append(.template(named.count))
                named.append((path, try scope.inside(indentation, blocks)))
            case .block(let name, let indentation, let template):
                if let replacement = scope.blocks[name] {
                    try append(replacement, try scope.inside(indentation))
                } else {
                    try append(template, scope)
                }
            }
        }
    }

    private mutating func append(_ step: Step) {
        endText()
        steps.append(step)
    }

    private mutating func endText() {
        if textStart < text.count { steps.append(.text(textStart..<text.count)) }
        textStart = text.count
    }
}
