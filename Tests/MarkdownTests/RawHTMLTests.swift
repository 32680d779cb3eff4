import HTML
import Testing

@testable import Markdown

@Suite struct RawHTMLTests {
    private static func document(_ html: String) throws -> RenderedDocument {
        var options = MarkdownOptions()
        options.rawHTML = .trusted
        return try RenderedDocument(Array(html.utf8), options)
    }

    private static func addresses(_ html: String) throws -> [String] {
        try document(html).references.map(\.destination)
    }

    @Test(arguments: [
        ("<a href=b.md>x</a>", ["b.md"]), ("<A HREF = 'b.md' >x</A>", ["b.md"]),
        ("<a title=\"<a href=q>\" href=\" b.md\n\">", ["b.md"]),
        ("<a href=\"a?b=1&amp;c=2&copy=3\">", ["a?b=1&c=2&copy=3"]),
        ("<img src=a.png srcset='b.png 1x, c.png 2x'>", ["a.png", "b.png", "c.png"]),
        ("<source srcset='a/dark icon (1).png'>", ["a/dark icon (1).png"]),
        ("<source srcset='a b.png, c 2x'>", ["a", "c"]),
        ("<video poster=a.png src=b.mp4></video><source src=c.mp4>", ["a.png", "b.mp4", "c.mp4"]),
        ("<a href=b href=c>", ["b"]), ("<a href>", []),
        ("<div>\n<a/href=b>\n</div>", ["b"]),
        ("<div>\n<!-- <a href=b> --><a href=c>\n</div>", ["c"]),
        ("<div>\n<!--><a href=b>--><a href=c>\n</div>", ["b", "c"]),
        ("<script>\n'<a href=b>'\n</script>", []),
        ("<div><textarea><a href=b></textarea><a href=c></div>", ["c"]),
        ("<form action=b.md><link href=c.css></form>", []), ("`<a href=b>`", []),
        ("<iframe title=x src=b.md></iframe><embed src=c.mp4>", ["b.md", "c.mp4"]),
        ("<object data=b.pdf>x</object>", ["b.pdf"]),
    ])
    func `addresses in HTML are references`(html: String, addresses: [String]) throws {
        // Within a paragraph, and as a block.
        #expect(try Self.addresses(html) == addresses)
        if !html.contains("\n"), !html.hasPrefix("`"), !html.contains("script") {
            #expect(try Self.addresses("<div>\n\(html)\n</div>") == addresses)
        }
    }

    @Test(arguments: [
        "<a href=\"java&#115cript:x\">", "<a href='java&#0000115;cript:x'>",
        "<a href=\"java\tscript:x\">", "<a href=\"\u{1} javascript:x\">",
        "<a href=java&Tab;script&colon;x>", "<a href=\"jav&#x0A;ascript:x\">",
        "<button formaction=javascript:x>", "<form action='VBSCRIPT:x'>",
        "<iframe src=\"data:text/html,x\">", "<object data=javascript:x>",
        "<iframe srcdoc='<b>'>", "<embed src=javascript:x>", "<img src=data:image/svg+xml,x>",
        "<svg><a xlink:href=\"javascript:x\">",
    ])
    func `what runs a program is a reference wherever it stands`(html: String) throws {
        let document = try Self.document("<div>\n\(html)\n</div>")
        let found = document.references.filter { reference in
            reference.kind == .htmlDocument || HTMLText.isDangerous(reference.destination)
        }
        #expect(found.count == 1)
        let emptied = String(decoding: document.filled(with: [""]), as: UTF8.self).lowercased()
        #expect(!emptied.contains("script") && !emptied.contains("data:"))
        #expect(emptied.contains("=\"\""))
    }

    @Test func `all but the address stays byte for byte`() throws {
        let html = "<p  CLASS=a><a\tid=\"x\"  href='b' >&amp;</A ></p>\n"
        let document = try Self.document(html)
        #expect(
            String(decoding: document.filled(with: ["/c/"]), as: UTF8.self)
                == html.replacing("'b'", with: "\"/c/\"")
        )
    }

    @Test func `ids and names may be linked to`() throws {
        let html = "<h2 ID=a>x</h2>\n<!-- <b id=no> -->\n\nb <a name='b'></a> <img name=no>\n"
        #expect(try Self.document(html).anchors == ["a", "b"])
        var options = MarkdownOptions()
        options.rawHTML = .omitted
        let omitted = try RenderedDocument(Array(html.utf8), options)
        #expect(omitted.anchors.isEmpty)
        #expect(omitted.droppedAnchors == ["a", "b"])
    }
}
