import CommonMark
import Diagnostics
import POSIX

/// `SUMMARY.md` at the top of the source folder: nested lists of links that give the navigation
/// its order, its labels and its levels, as mdBook and GitBook have it.
///
/// It is not a page.
struct Summary: Sendable {
    static let path = "SUMMARY.md"
    /// Items that are nested deeper stay on this level: whoever writes a thousand levels must not
    /// get a thousand open lists on each page.
    private static let maximumDepth = 32

    struct Entry: Sendable {
        let position: Int
        /// `nil` where the link has no text.
        let label: String?
        let location: SourceLocation
        /// The path of the page in whose item this one is nested.
        let parent: String?
        let depth: Int
    }

    /// By the path of a page's file.
    private(set) var entries: [String: Entry] = [:]
    private(set) var diagnostics: [Diagnostic] = []

    /// `nil` where there is no such file.
    init?(_ files: [SourceTree.File]) {
        guard let file = files.first(where: { $0.path == Self.path }) else { return nil }
        do {
            read(try file.read(), file.displayPath)
        } catch {
            let location = SourceLocation(file.displayPath)
            diagnostics.append(Diagnostic(.sourceFile, error.reason, at: location))
        }
    }

    /// The links that lead to no page of the site.
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

    /// The page with the text of the link to it.
    func labelled(_ page: Page) -> Page {
        var page = page
        page.summaryLabel = entries[page.file.path]?.label
        return page
    }

    /// The URL of the page above one that is listed here, or `nil` for other pages.
    ///
    /// An item whose page is not published is passed over: what is nested in it moves up.
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
        /// The items around a link, outermost first, each with its own page.
        var items: [String?] = []
        Document(markdown).walk { node, entering in
            switch node.kind {
            case .item where entering: items.append(nil)
            case .item: items.removeLast()
            case .link where entering: label = ""
            case .link:
                let above = items.dropLast().last { $0 != nil } ?? nil
                let path = add(node, label ?? "", parent: above, displayPath)
                if let path, let item = items.last, item == nil {
                    items[items.count - 1] = path
                }
                label = nil
            case .text where label != nil, .code where label != nil: label? += node.literal
            case .softBreak where label != nil: label? += " "
            default: break
            }
            return .descend
        }
    }

    /// - Returns: the path of the page that the link leads to.
    private mutating func add(
        _ node: Node,
        _ label: String,
        parent: String?,
        _ displayPath: String
    ) -> String? {
        // Without a destination it is a chapter that is still to be written.
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
