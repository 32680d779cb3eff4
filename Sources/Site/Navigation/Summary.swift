import CommonMark
import Diagnostics
import Markdown
import POSIX

/// `SUMMARY.md` at the top of the source folder: nested lists of links that set order, labels and
/// levels of the navigation, as in mdBook and GitBook.
///
/// The file itself is not a page.
package struct Summary: Sendable {
    static let path = "SUMMARY.md"
    /// Items that are nested deeper stay on this level, so that a thousand levels do not open a
    /// thousand lists on each page.
    private static let maximumDepth = 32

    struct Entry: Sendable {
        let position: Int
        /// `nil` if the link has no text.
        let label: String?
        let location: SourceLocation
        /// The path of the page in whose list item this one is nested.
        let parent: String?
        let depth: Int
    }

    /// By the path of a page's file.
    private(set) var entries: [String: Entry] = [:]
    private(set) var diagnostics: [Diagnostic] = []

    /// `nil` if there is no such file.
    init?(_ files: [SourceTree.File]) {
        guard let file = files.first(where: { $0.path == Self.path }) else { return nil }
        do {
            let text = DecodedText(try file.read())
            if let mistake = text.mistake {
                diagnostics += [mistake.diagnostic(in: file.displayPath)].named(.sourceFile)
            }
            if let conflict = ConflictMarks.first(in: text.utf8) {
                let location = SourceLocation(file.displayPath, line: conflict.line)
                diagnostics.append(Diagnostic(conflictMark: conflict.mark, at: location))
            }
            read(text.utf8, file.displayPath)
        } catch {
            let location = SourceLocation(file.displayPath)
            diagnostics.append(Diagnostic(.sourceFile, error.reason, at: location))
        }
    }

    /// The findings: links that point to no page of the site.
    func diagnostics(for site: Site) -> [Diagnostic] {
        diagnostics
            + entries.compactMap { path, entry in
                if site.page(inFile: path) != nil || site.unpublishedReason(of: path) != nil {
                    return nil
                }
                let message = "link to '\(path)' is dead: there is no such page"
                return Diagnostic(.deadLink, message, at: entry.location)
            }
    }

    /// The page, labelled with the text of its link.
    func labelled(_ page: Page) -> Page {
        var page = page
        page.summaryLabel = entries[page.file.path]?.label
        return page
    }

    /// The URL of the parent of a page in the list; `nil` for other pages.
    ///
    /// An item without a published page is skipped: the items nested in it move up.
    func parent(of page: Page, in site: Site) -> String? {
        guard page.url != "/", let entry = entries[page.file.path] else { return nil }
        var path = entry.parent
        while let above = path {
            if let page = site.page(inFile: above) { return page.url }
            path = entries[above]?.parent
        }
        return "/"
    }

    private mutating func read(_ markdown: [UInt8], _ displayPath: String) {
        var label: String?
        /// The label as Markdown, if tags may be words of it.
        var source = ""
        var hasTags = false
        /// The list items around a link, outermost first, each with the path of its page.
        var items: [String?] = []
        Document(markdown).walk { node, entering in
            switch node.kind {
            case .item where entering: items.append(nil)
            case .item: items.removeLast()
            case .link where entering: (label, source, hasTags) = ("", "", false)
            case .link:
                if hasTags { label = MarkdownFragment.text(ofLine: source) }
                let above = items.dropLast().last { $0 != nil } ?? nil
                let path = add(node, label ?? "", parent: above, displayPath)
                if let path, let item = items.last, item == nil {
                    items[items.count - 1] = path
                }
                label = nil
            case .text where label != nil, .code where label != nil:
                label? += node.literal
                source += node.literal.map {
                    $0.isASCII && !$0.isLetter && !$0.isNumber && $0 != " " ? "\\\($0)" : "\($0)"
                }
                .joined()
            case .htmlInline where label != nil:
                hasTags = true
                source += node.literal
            case .softBreak where label != nil:
                label? += " "
                source += " "
            default: break
            }
            return .descend
        }
    }

    /// - Returns: the path of the link's page.
    private mutating func add(
        _ node: Node,
        _ label: String,
        parent: String?,
        _ displayPath: String
    ) -> String? {
        // In mdBook a link without a destination is a chapter that is not written yet.
        let destination = node.destination.prefix { $0 != "#" && $0 != "?" }
        guard !destination.isEmpty, !destination.contains(":"),
            let decoded = SitePathName.decode(destination)
        else { return nil }
        let path = decoded.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        if entries[path] != nil { return path }
        var parent = parent
        if let above = parent.flatMap({ entries[$0] }), above.depth >= Self.maximumDepth {
            parent = above.parent
        }
        entries[path] = Entry(
            position: entries.count,
            label: label.isEmpty ? nil : label,
            location: SourceLocation(displayPath, line: node.line, column: node.column),
            parent: parent,
            depth: 1 + (parent.flatMap { entries[$0]?.depth } ?? 0)
        )
        return path
    }
}
