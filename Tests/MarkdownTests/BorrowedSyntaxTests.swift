import Markdown
import Testing

/// What Azure DevOps, Microsoft Learn and kramdown add to Markdown.
@Suite struct BorrowedSyntaxTests {
    private static func html(_ markdown: String) throws -> String {
        String(decoding: try MarkdownFragment.html(Array(markdown.utf8), .init()), as: UTF8.self)
    }

    @Test func `tab groups end at a thematic break or with the page`() throws {
        #expect(
            try Self.html(
                #"""
                # [A](#tab/a)

                x

                # [B](#tab/b)

                y

                ---

                z

                # [C](#tab/c)
                w

                """#
            )
                == #"""
                <div class="tabs">
                <details open>
                <summary>A</summary>
                <p>x</p>
                </details>
                <details open>
                <summary>B</summary>
                <p>y</p>
                </details>
                </div>
                <p>z</p>
                <div class="tabs">
                <details open>
                <summary>C</summary>
                <p>w</p>
                </details>
                </div>

                """#
        )
    }

    @Test func `a list of contents knows the headings below it`() throws {
        #expect(
            try Self.html(
                #"""
                [[_TOC_]]

                ## A
                ### B {#own}
                #### C
                ## A

                """#
            )
                == #"""
                <nav class="toc">
                <ul>
                <li><a href="#a">A</a>
                <ul>
                <li><a href="#own">B</a></li>
                </ul>
                </li>
                <li><a href="#a-1">A</a></li>
                </ul>
                </nav>
                <h2 id="a">A</h2>
                <h3 id="own">B</h3>
                <h4 id="c">C</h4>
                <h2 id="a-1">A</h2>

                """#
        )
    }

    @Test func `diagrams are code, other blocks with colons are text`() throws {
        #expect(
            try Self.html(
                #"""
                ::: mermaid
                graph TD
                :::

                ```mermaid
                A
                ```

                ::: note
                x
                :::

                """#
            )
                == #"""
                <pre><code class="language-mermaid">graph TD
                </code></pre>
                <pre><code class="language-mermaid">A
                </code></pre>
                <p>::: note
                x
                :::</p>

                """#
        )
    }

    @Test func `a division may name classes and nothing else`() throws {
        #expect(
            try Self.html(
                #"""
                > [!div class="checklist"]
                > - a

                > [!div class="x\" onclick=\"y"]
                > c

                """#
            )
                == #"""
                <div class="checklist">
                <ul>
                <li>a</li>
                </ul>
                </div>
                <blockquote>
                <p>[!div class=&quot;x&quot; onclick=&quot;y&quot;]
                c</p>
                </blockquote>

                """#
        )
    }

    @Test func `attributes at the end of a heading`() throws {
        #expect(
            try Self.html(
                #"""
                ## A {: .c #d k="v" }
                ## B { #e }
                ## C {f}
                ## D \{#g}
                ## E {#h i}

                """#
            )
                == #"""
                <h2 id="d">A</h2>
                <h2 id="e">B</h2>
                <h2 id="c-f">C {f}</h2>
                <h2 id="d-g">D {#g}</h2>
                <h2 id="e-h-i">E {#h i}</h2>

                """#
        )
    }

    @Test func `tab groups in a list end with their item`() throws {
        let html = try Self.html(
            "1. a\n\n   # [B](#tab/b)\n   ~~~\n   c\n   ~~~\n   # [D](#tab/d)\n   e\n\n2. f\n"
        )
        #expect(
            html == """
                <ol>
                <li>
                <p>a</p>
                <div class="tabs">
                <details open>
                <summary>B</summary>
                <pre><code>c
                </code></pre>
                </details>
                <details open>
                <summary>D</summary>
                <p>e</p>
                </details>
                </div>
                </li>
                <li>
                <p>f</p>
                </li>
                </ol>

                """
        )
    }
}
