import Markdown

@testable import Markdown
@testable import SiteGenerator

/// Templates, style sheets, images and drawings: what a theme or a tool hands to a page.
enum ThemeTargets {
    static let all: [String: FuzzTarget.Test] = [
        "template": template, "style-sheet": styleSheet, "script": script,
        "image-size": imageSize, "drawing": drawing, "highlighted-code": highlightedCode,
    ]

    // MARK: Templates

    static func template(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let (page, part) = (input.part(), input.part())
        let texts = (0..<3).map { _ in input.text() }
        let flags = input.byte()
        let lines = 1 + page.count { $0 == 10 }
        var templates: [String: MustacheTemplate] = [:]
        for (name, text) in [("page", page), ("part", part)] {
            do throws(MustacheError) {
                templates[name] = try MustacheParser.template(text)
            } catch {
                guard name == "page" else { continue }
                expect((1...lines).contains(error.line), "a mistake has its line")
                expect(error.column >= 1, "a mistake has its column")
            }
        }
        guard let template = templates["page"] else { return }
        var context = TemplateContext([
            "title": texts[0], "html": texts[1], "yes": true, "no": flags & 1 != 0,
            "tags": [texts[1], texts[2]],
            "site": TemplateContext(["title": texts[2], "deep": TemplateContext(["er": texts[0]])]),
            "rows": [TemplateContext(["title": texts[1]]), TemplateContext(["label": texts[0]])]
                as [any Sendable],
        ])
        if flags & 2 != 0 { context["next"] = TemplateContext(["url": texts[2]]) }
        let shown = template.render(context, templates)
        expect(template.render(context, templates) == shown, "rendered twice it is the same")
        // Values as names of templates, and other delimiters, are left to Mustache.
        let source = String(decoding: page + part, as: UTF8.self)
        if source.contains("*") || source.contains("=") { return }
        let endless = Array(MustacheTemplate.endless.utf8)
        guard shown != endless,
            let signature = ContextSignature(context, first: TemplateSlot.allCases.count),
            let compiled = CompiledTemplate(
                template.render(signature.context, templates),
                parameters: signature.texts.count,
                constants: []
            )
        else { return }
        let values = TemplateValues()
        let filled = compiled.page(values, parameters: signature.texts, content: nil).bytes
        expect(
            filled == shown,
            "filled in: \(String(decoding: filled, as: UTF8.self))"
                + "\nby Mustache: \(String(decoding: shown, as: UTF8.self))"
        )
    }

    // MARK: Style sheets and scripts

    static func styleSheet(_ css: [UInt8]) {
        var last = 0
        for reference in StyleSheetReference.all(in: css) {
            expect(reference.range.lowerBound >= last, "references are in order")
            expect(reference.range.upperBound <= css.count, "references are in the text")
            last = reference.range.upperBound
            let text = String(decoding: css[reference.range], as: UTF8.self)
            expect(text == reference.address, "an address is what stands there")
        }
        let compact = CompactText.style(css)
        expect(compact.count <= css.count, "a compact sheet is not longer")
        let before = StyleSheetReference.all(in: css).map(\.address)
        let after = StyleSheetReference.all(in: compact).map(\.address)
        expect(before == after, "the same addresses: \(after), not \(before)")
        expect(structure(compact) == structure(css), "the same blocks and escapes: \(compact)")
        let again = CompactText.style(compact)
        let texts = [again, compact].map { String(decoding: $0, as: UTF8.self) }
        expect(again == compact, "compacted twice: \(texts)")
    }

    /// Braces and escapes outside strings, comments and addresses.
    private static func structure(_ css: [UInt8]) -> [UInt8] {
        let addresses = StyleSheetReference.all(in: css).map(\.range)
        var structure: [UInt8] = []
        var position = 0
        while position < css.count {
            let byte = css[position]
            if let address = addresses.first(where: { $0.lowerBound == position }) {
                let isQuoted = position > 0 && "\"'".utf8.contains(css[position - 1])
                let end =
                    isQuoted
                    ? address.upperBound : StyleSheetReference.end(ofURL: position, in: css)
                // An address may be empty.
                position = max(end, position + 1)
            } else if css[position...].starts(with: "/*".utf8) {
                position += 2
                while position < css.count, !css[position...].starts(with: "*/".utf8) {
                    position += 1
                }
                position += 2
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                position += 1
                while position < css.count, css[position] != byte {
                    position += css[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position += 1
            } else if byte == UInt8(ascii: "\\") {
                structure += css[position...].prefix(2)
                position += 2
            } else {
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") { structure.append(byte) }
                position += 1
            }
        }
        return structure
    }

    static func script(_ script: [UInt8]) {
        let compact = CompactText.script(script)
        expect(compact.count <= script.count + 1, "a compact script is not longer")
        expect(CompactText.script(compact) == compact, "compacted twice it is the same")
        func code(_ script: [UInt8]) -> [[UInt8]] {
            script.split(separator: 10).map { line in
                Array(line.drop { $0 == 32 || (9...13).contains($0) })
            }.filter { !$0.isEmpty && !$0.starts(with: "//".utf8) }
        }
        expect(code(compact) == code(script), "no line of code is lost")
    }

    // MARK: Images and drawings

    static func imageSize(_ bytes: [UInt8]) {
        guard let size = ImageSize(bytes) else { return }
        expect((1...100_000).contains(size.width), "\(size)")
        expect((1...100_000).contains(size.height), "\(size)")
        let longer = ImageSize(bytes + Array(" \u{0}\n<svg>".utf8))
        expect(longer == size, "what follows changes nothing: \(size)")
    }

    static func drawing(_ bytes: [UInt8]) {
        for language in DrawnLanguage.allCases {
            guard DrawnMarkup.isSafe(bytes[...], language) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            var tokenizer = HTMLTokenizer(bytes)
            var open: [String] = []
            while let token = tokenizer.next() {
                switch token {
                case .startTag(let tag):
                    open.append(tag.name)
                    for attribute in tag.attributes {
                        let name = attribute.name
                        let isHarmless =
                            !name.hasPrefix("on") && name != "style" && !name.contains("href")
                            && name != "src" && !attribute.value.contains(":")
                        expect(isHarmless, "'\(name)' in \(text)")
                    }
                case .endTag(let name, _):
                    expect(open.popLast() == name, "'</\(name)>' in \(text)")
                case .text: expect(!open.isEmpty, "text beside the drawing: \(text)")
                // Inside SVG, a browser reads <title> as any other element.
                case .rawText(let range):
                    let tags = bytes[range].count { $0 == UInt8(ascii: "<") }
                    expect(open.last == "title" && tags == 0, "raw text in \(text)")
                case .comment: expect(false, "a comment in \(text)")
                }
            }
            expect(open.isEmpty, "each element ends: \(text)")
        }
    }

    static func highlightedCode(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let code = PlainCode(language: "swift", html: input.part()[...])
        let answer = input.remainder()
        if let read = HighlightAnswer(reading: answer[...], of: code) {
            let again = HighlightAnswer(reading: read.text[...], of: code)
            expect(again == read, "what is kept is read")
        }
        guard let verified = HighlightedCode(verifying: answer[...], of: code) else { return }
        var plain: [UInt8] = []
        var isTag = false
        for byte in verified.html {
            if byte == UInt8(ascii: "<") { isTag = true }
            if !isTag { plain.append(byte) }
            if byte == UInt8(ascii: ">") { isTag = false }
        }
        expect(plain.elementsEqual(code.html), "without its tags it is the code of the page")
        for tag in HTMLTokenizer.startTags(in: verified.html) {
            expect(tag.name == "span", "'\(tag.name)' colours nothing")
            expect(tag.attributes.map(\.name) == ["class"], "\(tag.attributes)")
        }
    }
}
