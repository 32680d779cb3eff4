import Bytes
import HTML

/// A table of contents.
public enum ContentsList {
    /// A list of headings from the second level on, as deep as wanted; empty where there are none.
    ///
    /// - Parameter depth: the last level that is listed.
    public static func html(_ headings: [RenderedDocument.Heading], depth: Int) -> String {
        var html: [UInt8] = []
        append(headings[...], depth: depth, to: &html)
        return String(decoding: html, as: UTF8.self)
    }

    public static func append(
        _ headings: ArraySlice<RenderedDocument.Heading>,
        depth: Int,
        to html: inout [UInt8]
    ) {
        var levels: [Int] = []
        for index in headings.indices {
            let level = headings[index].level
            // A heading of nothing but HTML that browsers do not show would be a link without words.
            let isShown = !headings[index].text.utf8.allSatisfy(\.isWhitespace)
            guard (2...max(2, depth)).contains(level), isShown else { continue }
            while let last = levels.last, last > level, levels.count > 1 {
                html.append("</li>\n</ul>\n")
                levels.removeLast()
            }
            if let last = levels.last, last >= level {
                html.append("</li>\n")
            } else {
                html.append(levels.isEmpty ? "<ul>\n" : "\n<ul>\n")
                levels.append(level)
            }
            html.append("<li><a href=\"#")
            HTMLText.escapeURL(headings[index].id.utf8.span, into: &html)
            html.append("\">")
            HTMLText.escape(headings[index].text.utf8.span, into: &html)
            html.append("</a>")
        }
        for _ in levels { html.append("</li>\n</ul>\n") }
    }
}
