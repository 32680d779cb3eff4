import Foundation
import Markdown

/// Our HTML and that of the GitHub Flavored Markdown specification, made comparable.
enum GitHubHTML {
    static func rendered(_ markdown: String) throws -> String {
        var options = MarkdownOptions()
        options.rawHTML = .verbatim
        let html = try MarkdownFragment.html(Array(markdown.utf8), options, dangerousURLs: true)
        return String(decoding: html, as: UTF8.self)
    }

    /// Takes out what differs on purpose, and nothing else; the handbook has the reasons (markdown-differences.md).
    static func normalised(_ html: String) -> String {
        let replacements = [
            // Headings have ids.
            (#"<(h[1-6]) id="[^"]*">"#, "<$1>"),
            // A class says how a cell is aligned: a strict policy allows no style.
            (#"<(t[hd]) (?:align="|class="align-)(left|center|right)">"#, "<$1 $2>"),
            // Check boxes have a label, and the specification orders their attributes otherwise.
            (
                #"<li><input checked="" disabled="" type="checkbox"> "#,
                #"<li class="task"><input type="checkbox" checked disabled "#
                    + #"aria-label="Completed task" /> "#
            ),
            (
                #"<li><input disabled="" type="checkbox"> "#,
                #"<li class="task"><input type="checkbox" disabled "#
                    + #"aria-label="Incomplete task" /> "#
            ),
        ]
        return replacements.reduce(html) { text, replacement in
            text.replacingOccurrences(
                of: replacement.0,
                with: replacement.1,
                options: .regularExpression
            )
        }
    }
}
