import Markdown
import Testing

/// Alerts whose text or title stands on the line of their mark.
@Suite struct AlertTests {
    private static func html(_ markdown: String) throws -> String {
        String(
            decoding: try MarkdownFragment.html(Array(markdown.utf8), .init()),
            as: UTF8.self
        )
    }

    private static func alert(_ title: String, _ text: String) -> String {
        """
        <div class="markdown-alert markdown-alert-note">
        <p class="markdown-alert-title">\(title)</p>
        \(text)</div>

        """
    }

    @Test(
        arguments: [
            ("> [!NOTE] a *b*", "Note", "<p>a <em>b</em></p>\n"),
            ("> [!NOTE] a\n> b", "Note", "<p>a\nb</p>\n"),
            ("> [!NOTE]\ta\n> - b", "Note", "<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n"),
            ("> [!note] a *b*\n> c", "a <em>b</em>", "<p>c</p>\n"),
            ("> [!note] a\n>\n> b", "a", "<p>b</p>\n"),
            ("> [!NOTE]- a\n> b", "a", "<p>b</p>\n"), ("> [!NOTE]+\n> b", "Note", "<p>b</p>\n"),
            ("> [!note] a", "Note", "<p>a</p>\n"), ("> [!Note]- a", "Note", "<p>a</p>\n"),
            (">\n> [!NOTE]\n> a", "Note", "<p>a</p>\n"),
            ("> [!note] [a]\n> b\n\n[a]: c", "<a href=\"c\">a</a>", "<p>b</p>\n"),
        ]
    )
    func `words on the line are the text, or a title as in Obsidian`(
        markdown: String,
        title: String,
        text: String
    ) throws {
        #expect(try Self.html(markdown) == Self.alert(title, text))
    }

    @Test(arguments: [
        ("> [!NOTE]a", "[!NOTE]a"), ("> [!NOTE](a)", "<a href=\"a\">!NOTE</a>"),
        ("> [!NOTE]*a*", "[!NOTE]<em>a</em>"),
    ])
    func `a mark with something else directly behind it is none`(
        markdown: String,
        text: String
    ) throws {
        #expect(try Self.html(markdown) == "<blockquote>\n<p>\(text)</p>\n</blockquote>\n")
    }

    @Test func `of two quotes on one line the inner one is the alert`() throws {
        #expect(
            try Self.html("> > [!NOTE] a\n")
                == "<blockquote>\n\(Self.alert("Note", "<p>a</p>\n"))</blockquote>\n"
        )
    }
}
