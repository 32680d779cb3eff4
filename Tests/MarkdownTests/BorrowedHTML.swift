import Markdown

/// What the syntax of other tools becomes.
enum BorrowedHTML {
    static func html(_ markdown: String) throws -> String {
        var options = MarkdownOptions()
        options.borrowedBlocks = true
        return String(
            decoding: try MarkdownFragment.html(Array(markdown.utf8), options),
            as: UTF8.self
        )
    }

    static func note(_ title: String, _ content: String, look: String = "note") -> String {
        "<div class=\"markdown-alert markdown-alert-\(look)\">\n"
            + "<p class=\"markdown-alert-title\">\(title)</p>\n\(content)</div>\n"
    }
}
