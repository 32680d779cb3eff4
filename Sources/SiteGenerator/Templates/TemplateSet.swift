import Diagnostics
import Mustache
import OpenSSL

/// The templates of a site, by their file names without `.html`.
struct TemplateSet: Sendable {
    private(set) var diagnostics: [Diagnostic] = []
    private var library = MustacheLibrary()
    private var names: Set<String> = []
    /// Of all of them: each may use any other.
    let digest: [UInt8]

    init(_ design: Design) {
        var key: [UInt8] = []
        for file in design.files where file.path.hasSuffix(".html") {
            key += Digest.sha256(Array(file.path.utf8)) + Digest.sha256(file.bytes)
        }
        digest = Digest.sha256(key)
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

    /// The same for values that are long: they are put in afterwards, as they are, for Mustache
    /// copies what it is given once for each template that a page inherits from.
    ///
    /// - Parameter id: a text that no page has.
    /// - Returns: with where the first of them stands.
    func render(
        _ name: String,
        _ context: TemplateContext,
        long: KeyValuePairs<String, [UInt8]>,
        id: String
    ) -> (bytes: [UInt8], first: Range<Int>?) {
        var marked = context
        for (index, part) in long.enumerated() { marked[part.key] = "\(id)<\(index)" }
        let rendered = render(name, marked)
        let mark = Array(id.utf8)
        var page: [UInt8] = []
        page.reserveCapacity(rendered.count + long.reduce(0) { $0 + $1.value.count })
        var start = 0
        var first: Range<Int>?
        while let found = Self.position(of: mark, in: rendered, from: start) {
            let index = found + mark.count + 1
            // A template that wants the value escaped gets it the long way.
            guard index < rendered.count, rendered[index - 1] == UInt8(ascii: "<"),
                let part = long.dropFirst(Int(rendered[index]) - 48).first
            else {
                var whole = context
                for (name, value) in long { whole[name] = String(decoding: value, as: UTF8.self) }
                return (render(name, whole), nil)
            }
            page += rendered[start..<found]
            if first == nil, rendered[index] == UInt8(ascii: "0") {
                first = page.count..<page.count + part.value.count
            }
            page += part.value
            start = index + 1
        }
        return (page + rendered[start...], first)
    }

    private static func position(of mark: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        let span = text.span
        var position = start
        while position + mark.count <= span.count {
            if span[position] == mark[0],
                mark.indices.allSatisfy({ span[position + $0] == mark[$0] })
            {
                return position
            }
            position += 1
        }
        return nil
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
