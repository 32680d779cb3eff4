/// The part of a document that other pages need, for pages that are not rendered in this build.
extension RenderedDocument {
    /// Everything but the HTML, to be kept from one build to the next.
    public var outline: [UInt8] {
        var writer = ByteWriter()
        writer.write(references) { writer, reference in
            writer.write(reference.kind.code)
            writer.write(reference.destination)
            writer.write(reference.range)
        }
        writer.write(headings) { writer, heading in
            writer.write(heading.level)
            writer.write(heading.id)
            writer.write(heading.text)
        }
        writer.write(codeBlocks) { $0.write($1.language) }
        writer.write(anchors) { $0.write($1) }
        writer.write(droppedAnchors) { $0.write($1) }
        writer.write(markers) { $0.write($1) }
        writer.write(foreignUses) { writer, use in
            writer.write(use.construct.rawValue)
            writer.write(use.words)
            writer.write(use.count)
            writer.write(use.occurrences) { $0.write($1) }
        }
        writer.write(diagnostics) { writer, diagnostic in
            let (code, text, numbers) = diagnostic.kind.coded
            writer.write(code)
            writer.write(text)
            writer.write(numbers.0)
            writer.write(numbers.1)
            writer.write(diagnostic.range)
        }
        return writer.bytes
    }

    /// What other pages take from the document: the outline without places in the file, and without
    /// what only the HTML needs.
    public var interface: [UInt8] {
        var writer = ByteWriter()
        writer.write(references) { writer, reference in
            writer.write(reference.kind.code)
            writer.write(reference.destination)
        }
        writer.write(headings) { writer, heading in
            writer.write(heading.level)
            writer.write(heading.id)
            writer.write(heading.text)
        }
        for names in [anchors, droppedAnchors, markers] { writer.write(names) { $0.write($1) } }
        return writer.bytes
    }

    /// A document without its HTML, or `nil` where the bytes are no ``outline``.
    public init?(outline bytes: ArraySlice<UInt8>) {
        self.init()
        var reader = ByteReader(bytes)
        let references: [Reference]? = reader.list { reader in
            guard let code = reader.number(), let kind = Reference.Kind(code: code),
                let destination = reader.text(), let range = reader.range()
            else { return nil }
            return Reference(kind: kind, destination: destination, range: range, offset: 0)
        }
        let headings: [Heading]? = reader.list { reader in
            guard let level = reader.number(), let id = reader.text(), let text = reader.text()
            else { return nil }
            return Heading(level: level, id: id, text: text)
        }
        let codeBlocks: [CodeBlock]? = reader.list { reader in
            reader.text().map { CodeBlock(language: $0, range: 0..<0) }
        }
        let anchors = reader.list { $0.text() }
        let droppedAnchors = reader.list { $0.text() }
        let markers = reader.list { $0.text() }
        let foreignUses: [ForeignUse]? = reader.list { reader in
            guard let name = reader.text(), let construct = ForeignConstruct(rawValue: name),
                let words = reader.text(),
                let count = reader.number(), let occurrences = reader.list({ $0.range() }),
                let first = occurrences.first
            else { return nil }
            var use = ForeignUse(construct, words, at: first)
            use.occurrences = occurrences
            use.count = count
            return use
        }
        let diagnostics: [MarkdownDiagnostic]? = reader.list { reader in
            guard let code = reader.number(), let text = reader.text(),
                let first = reader.number(), let second = reader.number(),
                let kind = MarkdownDiagnostic.Kind(
                    code: code,
                    text: text,
                    numbers: (first, second)
                ),
                let range = reader.range()
            else { return nil }
            return MarkdownDiagnostic(kind, at: range)
        }
        guard let references, let headings, let codeBlocks, let anchors,
            let droppedAnchors, let markers, let foreignUses, let diagnostics, reader.isAtEnd
        else {
            return nil
        }
        self.references = references
        self.headings = headings
        self.codeBlocks = codeBlocks
        self.anchors = anchors
        self.droppedAnchors = droppedAnchors
        self.markers = markers
        self.foreignUses = foreignUses
        self.diagnostics = diagnostics
    }
}

extension RenderedDocument.Reference.Kind {
    fileprivate var code: Int {
        switch self {
        case .link: 0
        case .image: 1
        case .wikiLink: 2
        case .htmlLink: 3
        case .htmlSource: 4
        case .htmlDocument: 5
        }
    }

    fileprivate init?(code: Int) {
        switch code {
        case 0: self = .link
        case 1: self = .image
        case 2: self = .wikiLink
        case 3: self = .htmlLink
        case 4: self = .htmlSource
        case 5: self = .htmlDocument
        default: return nil
        }
    }
}

extension MarkdownDiagnostic.Kind {
    fileprivate var coded: (code: Int, text: String, numbers: (Int, Int)) {
        switch self {
        case .rawHTML(let omission): (0, omission.words, (omission.reason.rawValue, 0))
        case .missingAlternativeText: (1, "", (0, 0))
        case .skippedHeadingLevel(let from, let to): (2, "", (from, to))
        case .secondTopHeading: (3, "", (0, 0))
        case .unusedDefinition(let label): (4, label, (0, 0))
        case .duplicateID(let id): (5, id, (0, 0))
        case .reservedID(let id): (6, id, (0, 0))
        case .extraCells(let header, let row): (7, "", (header, row))
        case .literalMark(let mark, let space): (8, mark, (space, 0))
        case .conflictMarks(let mark): (9, mark, (0, 0))
        }
    }

    fileprivate init?(code: Int, text: String, numbers: (Int, Int)) {
        switch code {
        case 0:
            guard let omission = HTMLOmission(words: text, code: numbers.0) else { return nil }
            self = .rawHTML(omission)
        case 1: self = .missingAlternativeText
        case 2: self = .skippedHeadingLevel(from: numbers.0, to: numbers.1)
        case 3: self = .secondTopHeading
        case 4: self = .unusedDefinition(label: text)
        case 5: self = .duplicateID(text)
        case 6: self = .reservedID(text)
        case 7: self = .extraCells(header: numbers.0, row: numbers.1)
        case 8: self = .literalMark(text, space: numbers.0)
        case 9: self = .conflictMarks(text)
        default: return nil
        }
    }
}
