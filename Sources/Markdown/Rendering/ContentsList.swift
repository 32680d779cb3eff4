/// A table of contents.
public enum ContentsList {
    /// A list of headings from the second level on, as deep as wanted; empty where there are none.
    ///
    /// - Parameter depth: the last level that is listed.
    public static func html(_ headings: [RenderedDocument.Heading], depth: Int) -> String {
        var html = ""
        var levels: [Int] = []
        for heading in headings where (2...max(2, depth)).contains(heading.level) {
            while let last = levels.last, last > heading.level, levels.count > 1 {
                html += "</li>\n</ul>\n"
                levels.removeLast()
            }
            if let last = levels.last, last >= heading.level {
                html += "</li>\n"
            } else {
                html += levels.isEmpty ? "<ul class=\"toc\">\n" : "\n<ul>\n"
                levels.append(heading.level)
            }
            let anchor = HTMLText.escapeURL("#" + heading.id)
            html += "<li><a href=\"\(anchor)\">\(HTMLText.escape(heading.text))</a>"
        }
        for _ in levels { html += "</li>\n</ul>\n" }
        return html
    }
}
