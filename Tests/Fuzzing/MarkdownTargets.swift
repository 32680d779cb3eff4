import Markdown
import MarkdownWriting

@testable import Import
@testable import Markdown

/// Pages of authors, without `raw_html = true`.
enum MarkdownTargets {
    static let all: [String: FuzzTarget.Test] = [
        "imported-page": importedPage, "markdown": markdown, "raw-html": rawHTML,
    ]

    /// The first two bytes choose the options.
    private static func options(_ input: inout FuzzInput) -> MarkdownOptions {
        let (first, second) = (input.byte(), input.byte())
        var options = MarkdownOptions()
        options.commonMarkOnly = first & 0x0F == 15
        options.rawHTML = [.safe, .omitted, .trusted, .verbatim][Int(first >> 6)]
        options.smartPunctuation = second & 1 != 0
        options.wikiLinks = second & 2 != 0
        options.formulas = second & 4 != 0
        options.diagrams = second & 8 != 0
        options.borrowedBlocks = second & 16 != 0
        options.themed = second & 32 != 0
        options.contentsDepth = 1 + Int(second >> 6)
        return options
    }

    static func markdown(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let options = options(&input)
        check(input.remainder(), options)
    }

    /// HTML of authors inside a block, where tags of Markdown and theirs meet.
    static func rawHTML(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let kind = input.byte()
        var options = MarkdownOptions()
        options.borrowedBlocks = kind & 1 != 0
        options.themed = kind & 2 != 0
        let before = ["", "<div>\n", "- ", "> ", "a ", "| a |\n|-|\n| ", "# ", "[a"][Int(kind >> 5)]
        check(Array(before.utf8) + input.remainder(), options)
    }

    /// A page of another system, in HTML or in a storage format.
    static func importedPage(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let isXML = input.byte() & 1 != 0
        let pieces = MarkupReader.tree(input.remainder(), isXML: isXML).children
        let layout = SiteLayout(ImportedSite(title: "", pages: [ImportedPage(title: "")]))
        let conversion = Conversion(layout) { address, _ in
            LinkTarget.isElsewhere(address) ? .elsewhere(address) : .missing(address)
        }
        let text = MarkdownWriter(page: PageConversion(conversion, 0)).text(pieces)
        expect(!text.contains("{{"), "no text is a template: \(text)")
        expect(!text.contains("-8<-"), "no text is an include: \(text)")
        var options = MarkdownOptions()
        options.borrowedBlocks = true
        options.wikiLinks = true
        check(Array(text.utf8), options)
    }

    private static func check(_ markdown: [UInt8], _ options: MarkdownOptions) {
        let document: RenderedDocument
        do throws(RenderLimitError) {
            document = try RenderedDocument(markdown, options)
        } catch {
            expect(error.line >= 1 && !error.message.isEmpty, "a refusal has its place")
            return
        }
        let again = try? RenderedDocument(markdown, options)
        expect(again?.html == document.html, "rendered twice it is the same")
        expect(again?.diagnostics == document.diagnostics, "with the same findings")
        checkPlaces(document, lines: 1 + markdown.count { $0 == 10 || $0 == 13 })
        let html = try? MarkdownFragment.html(markdown, options)
        switch options.rawHTML {
        case .safe where !options.commonMarkOnly, .omitted: MarkdownProperties.check(html ?? [])
        case .safe: MarkdownProperties.check(html ?? [])
        case .trusted, .verbatim: break
        }
    }

    private static func checkPlaces(_ document: RenderedDocument, lines: Int) {
        var last = 0
        for reference in document.references {
            expect(reference.offset >= last, "placeholders are in order")
            expect(reference.offset <= document.html.count, "placeholders are in the HTML")
            last = reference.offset
            expect((1...lines).contains(reference.range.line), "\(reference)")
        }
        last = 0
        for block in document.codeBlocks {
            expect(block.range.lowerBound >= last, "code is in order")
            expect(block.range.upperBound <= document.html.count, "code is in the HTML")
            last = block.range.upperBound
        }
        for diagnostic in document.diagnostics {
            expect((1...lines).contains(diagnostic.range.line), "\(diagnostic) of \(lines)")
            expect(diagnostic.range.column >= 1, "\(diagnostic)")
        }
        let ids = document.headings.map(\.id)
        expect(Set(ids).count == ids.count, "headings have ids of their own: \(ids)")
    }
}
