import Markdown
import Testing

@testable import Rendering
@testable import Site

/// What may stand in a page in place of a formula or a diagram.
@Suite struct DrawnMarkupTests {
    private static func isSafe(_ markup: String) -> Bool {
        let language = markup.hasPrefix("<math") ? DrawnLanguage.math : .dot
        return DrawnMarkup.isSafe(Array(markup.utf8)[...], language)
    }

    @Test(arguments: [
        "<math><mrow><mi>x</mi><mo>&lt;</mo></mrow></math>",
        #"<math display="block"><mtable class="is-wide"><mtr><mtd></mtd></mtr></mtable></math>"#,
        #"<svg viewBox="0 0 1.5 2"><g transform="scale(1 1)"><text>a&amp;b</text></g></svg>"#,
        ##"<svg><path fill="url(#d1234abcd-0)" d="M1,2"></path><g id="d1234abcd-0"></g></svg>"##,
        ##"<svg><path fill="var(--node)" stroke="light-dark(#ffffff,#14161c80)"></path></svg>"##,
        ##"<svg><title>a</title><desc>b</desc><line marker-end="url(#d1234abcd-0)"></line></svg>"##,
    ])
    func `drawings are allowed`(markup: String) { #expect(Self.isSafe(markup)) }

    @Test(arguments: [
        "", "x", "<svg>", "<svg></svg>x", "x<svg></svg>", "<svg></svg><svg></svg>", "<g></g>",
        "<math><svg></svg></math>", "<svg><math></math></svg>", "<svg><svg></svg></svg>",
        "<svg><title><title></title></title></svg>", "<svg><title><g></g></title></svg>",
        "<svg><script></script></svg>", "<svg><style></style></svg>", "<svg><a></a></svg>",
        "<svg><image></image></svg>", "<svg><foreignObject></foreignObject></svg>",
        "<svg><use></use></svg>", "<svg><g/></svg>", "<svg><G></G></svg>", "<svg></svg ></svg>",
        "<svg><!-- x --></svg>", "<svg><![CDATA[x]]></svg>", "<svg><?x?></svg>",
        #"<svg onload="x"></svg>"#, #"<svg style="x"></svg>"#, #"<svg href="x"></svg>"#,
        #"<svg xmlns="x"></svg>"#, #"<svg fill="a:b"></svg>"#, #"<svg fill="a;b"></svg>"#,
        #"<svg fill="url(x)"></svg>"#, ##"<svg fill="url(#x)"></svg>"##,
        ##"<svg fill="url(#d1234abcd-0) url(x)"></svg>"##, #"<svg id="Site-content"></svg>"#,
        #"<svg id="a"></svg>"#, #"<svg fill=a></svg>"#, #"<svg fill='a'></svg>"#,
        #"<svg fill="a" fill="b"></svg>"#, #"<svg  fill="a"></svg>"#, #"<svg fill="a"x="1"></svg>"#,
        "<svg><desc><g></g></desc></svg>", #"<svg x="var(--a)"></svg>"#,
        #"<svg fill="var(--a)x"></svg>"#, #"<svg fill="var(--a,url(x))"></svg>"#,
        ##"<svg fill="light-dark(url(x),#fff)"></svg>"##, ##"<svg marker-end="url(x)"></svg>"##,
        #"<svg fill="light-dark(a,b) url(x)"></svg>"#,
        #"<svg fill="a(b)"></svg>"#, #"<svg fill="<"></svg>"#, #"<svg fill="&amp;"></svg>"#,
        "<svg><text>></text></svg>", "<svg><text>&x;</text></svg>", "<svg><text>&</text></svg>",
        "<svg><text>\0</text></svg>", "<svg><text></svg></text>", "<svg><text",
        "<math><annotation></annotation></math>", "<math><mglyph></mglyph></math>",
        #"<math><mi href="x"></mi></math>"#, "<math><maction></maction></math>",
    ])
    func `anything else is not`(markup: String) { #expect(!Self.isSafe(markup)) }

    @Test func `depth and size are limited`() {
        func nested(_ depth: Int) -> String {
            "<svg>" + String(repeating: "<g>", count: depth)
                + String(repeating: "</g>", count: depth) + "</svg>"
        }
        #expect(Self.isSafe(nested(199)) && !Self.isSafe(nested(200)))
        let text = String(repeating: "x", count: 1 << 20)
        #expect(!Self.isSafe("<svg><text>\(text)</text></svg>"))
    }
}
