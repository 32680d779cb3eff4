import Diagnostics
import Mustache

/// The templates of a site, by their file names without `.html`.
struct TemplateSet: Sendable {
    private(set) var diagnostics: [Diagnostic] = []
    private var library = MustacheLibrary()
    private var names: Set<String> = []

    init(_ design: Design) {
        for file in design.files
        where file.path.hasSuffix(".html") && !file.path.hasPrefix(Theme.folder) {
            let name = String(file.path.dropLast(".html".count))
            do {
                let text = String(decoding: file.bytes, as: UTF8.self)
                library.register(try MustacheTemplate(string: text), named: name)
                names.insert(name)
            } catch {
                diagnostics.append(Self.diagnostic(error, file))
            }
        }
    }

    func has(_ name: String) -> Bool { names.contains(name) }

    /// - Precondition: ``has(_:)`` says so.
    func render(_ name: String, _ context: TemplateContext) -> [UInt8] {
        Array((library.render(context, withTemplate: name) ?? "").utf8)
    }

    private static func diagnostic(_ error: any Error, _ file: Design.File) -> Diagnostic {
        guard let error = error as? MustacheTemplate.ParserError else {
            return Diagnostic(.error, "\(error)", at: Place(file.displayPath))
        }
        let place = Place(
            file.displayPath,
            line: error.context.lineNumber,
            column: error.context.columnNumber
        )
        let message =
            switch error.error as? MustacheTemplate.Error {
            case .sectionCloseNameIncorrect: "this closes another section than the one that is open"
            case .unfinishedName: "a tag is not closed with '}}'"
            case .expectedSectionEnd: "a section that is opened is not closed"
            default: "is not a Mustache template (\(error.error))"
            }
        return Diagnostic(.error, message, at: place)
    }
}
