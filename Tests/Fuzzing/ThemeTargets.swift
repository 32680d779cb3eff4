import HTML
import Markdown

@testable import Markdown
@testable import Rendering
@testable import Site
@testable import SiteauthConfiguration

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
        let texts = (0..<3).map { _ in MustacheValue.text(input.text()) }
        let flags = input.byte()
        var values: [String: MustacheValue] = [
            "title": texts[0], "html": texts[1], "yes": .truth(true), "no": .truth(flags & 1 != 0),
            "tags": .list([texts[1], texts[2]]),
            "site": .object(["title": texts[2], "deep": .object(["er": texts[0]])]),
            "rows": .list([.object(["title": texts[1]]), .object(["label": texts[0]])]),
        ]
        if flags & 2 != 0 { values["next"] = .object(["url": texts[2]]) }
        let names = values.keys.sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(names, 0...))
        let lines = 1 + page.count { $0 == 10 }
        var (named, numbered): ([String: MustacheTemplate], [String: MustacheTemplate]) = ([:], [:])
        for (name, text) in [("page", page), ("part", part)] {
            do throws(MustacheError) {
                named[name] = try MustacheParser.template(text)
                numbered[name] = try MustacheParser.template(text, numbers: numbers)
            } catch {
                guard name == "page" else { continue }
                expect((1...lines).contains(error.line), "a mistake has its line")
                expect(error.column >= 1, "a mistake has its column")
            }
        }
        let shown = shown(named, [.object(values)])
        let same = Self.shown(numbered, [], names.map { values[$0] })
        expect(shown == same, "found by name: \(shown ?? ""), by number: \(same ?? "")")
        if named["part"] != nil { indentation(of: part, values) }
    }

    /// The white space before a tag is "prepended to each line of the partial before rendering"
    /// (specification of Mustache, partials).
    private static func indentation(of part: [UInt8], _ values: [String: MustacheValue]) {
        let text = String(decoding: part, as: UTF8.self)
        let tags = text.split(separator: "{{", omittingEmptySubsequences: false).dropFirst()
        // Others have indentations of their own, and not each line of a tag is one of the text.
        let isPlain = tags.allSatisfy { tag in
            !"<>=".contains(tag.first ?? "=")
                && !tag.utf8.prefix(upTo: tag.firstRange(of: "}}")?.lowerBound ?? tag.endIndex)
                    .contains(10)
        }
        guard isPlain else { return }
        var lines: [UInt8] = []
        for byte in part {
            if lines.isEmpty || lines.last == 10 { lines += "  ".utf8 }
            lines.append(byte)
        }
        let shown = [["page": Array("  {{>part}}".utf8), "part": part], ["page": lines]].map {
            templates in
            let parsed = templates.compactMapValues { try? MustacheParser.template($0) }
            return Self.shown(parsed, [.object(values)])
        }
        expect(shown[0] == shown[1], "indented: \(shown[0] ?? ""), expected: \(shown[1] ?? "")")
    }

    /// - Returns: `nil` for templates that are broken or have no end.
    private static func shown(
        _ templates: [String: MustacheTemplate],
        _ values: [MustacheValue],
        _ numbered: [MustacheValue?] = []
    ) -> String? {
        var renderer = MustacheRenderer(numbered: numbered, values: values)
        guard let page = try? MustacheScope(templates).linked("page"),
            (try? renderer.append(page)) != nil
        else { return nil }
        return String(decoding: renderer.page, as: UTF8.self)
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
        func code(_ script: [UInt8]) -> [UInt8] {
            script.split(separator: 10).map { line in
                Array(line.drop { $0 == 32 || (9...13).contains($0) })
            }.filter { !$0.starts(with: "//".utf8) }.flatMap(\.self)
                .filter { $0 != 32 && !(9...13).contains($0) }
        }
        expect(code(compact) == code(script), "no code is lost")
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
