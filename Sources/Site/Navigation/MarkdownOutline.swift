import CommonMark
import Diagnostics
import Markdown
import POSIX
import Rules
import SourceFolder

/// `SUMMARY.md` at the top of the source folder: nested lists of links, with headings above them.
struct MarkdownOutline {
    static let path = "SUMMARY.md"

    private(set) var outline: NavigationOutline
    private let displayPath: String
    /// The heading above the items.
    private var part: Int?
    /// The list items around a node, outermost first, each with the index of its entry.
    private var open: [Int?] = []
    private var text = LinkText()
    /// Whether a text stands for itself, and not in a link.
    private var isPlain = true

    /// The text of a link, a heading or an item.
    private struct LinkText {
        var plain = ""
        /// The text as Markdown, if tags may be words of it.
        var source = ""
        var hasTags = false

        var label: String {
            let label = hasTags ? MarkdownFragment.text(ofLine: source) : plain
            return label.split(separator: " ").joined(separator: " ")
        }

        mutating func add(_ text: String) {
            plain += text
            source += text.map {
                $0.isASCII && !$0.isLetter && !$0.isNumber && $0 != " " ? "\\\($0)" : "\($0)"
            }
            .joined()
        }
    }

    init(_ file: SourceTree.File, origin: String?) {
        outline = NavigationOutline("'\(Self.path)'", origin: origin)
        displayPath = file.displayPath
        do {
            let text = DecodedText(try file.read())
            if let mistake = text.mistake {
                outline.diagnostics += [mistake.diagnostic(in: displayPath)].named(.sourceFile)
            }
            if let conflict = ConflictMarks.first(in: text.utf8) {
                let location = SourceLocation(displayPath, line: conflict.line)
                outline.diagnostics.append(Diagnostic(conflictMark: conflict.mark, at: location))
            }
            read(text.utf8)
        } catch {
            let location = SourceLocation(displayPath)
            outline.diagnostics.append(Diagnostic(.sourceFile, error.reason, at: location))
        }
    }

    private mutating func read(_ markdown: [UInt8]) {
        var isFirst = true
        Document(markdown).walk { node, entering in
            switch node.kind {
            case .heading where entering: (text, part) = (LinkText(), nil)
            case .heading:
                // The first one is the title of the list itself.
                let isTitle = isFirst && node.headingLevel == 1
                if !isTitle, !text.label.isEmpty {
                    part = add(text.label, path: nil, parent: nil, node)
                }
                isFirst = false
            // mdBook's separator ends a part.
            case .thematicBreak: part = nil
            case .item where entering:
                addHeading(node)
                open.append(nil)
                text = LinkText()
            case .item:
                addHeading(node)
                open.removeLast()
            // What is nested in an item without a link is nested in its text.
            case .list where entering: addHeading(node)
            case .link where entering:
                text = LinkText()
                isPlain = false
            case .link:
                link(node)
                isPlain = true
                text = LinkText()
            case .text, .code: text.add(node.literal)
            case .htmlInline:
                text.hasTags = true
                text.source += node.literal
            case .softBreak: text.add(" ")
            default: break
            }
            if node.kind == .link || node.kind == .item { isFirst = false }
        }
    }

    /// Adds the text of the innermost item as a heading, if the item has no link.
    private mutating func addHeading(_ node: Node) {
        guard isPlain, let last = open.indices.last, open[last] == nil, !text.label.isEmpty else {
            return
        }
        open[last] = add(text.label, path: nil, parent: above(open.dropLast()), node)
        text = LinkText()
    }

    private func above(_ items: ArraySlice<Int?>) -> Int? {
        (items.last { $0 != nil } ?? nil) ?? part
    }

    private mutating func link(_ node: Node) {
        let destination = node.destination.prefix { $0 != "#" && $0 != "?" }
        let parent = above(open.dropLast())
        let index: Int
        if destination.contains(":") || destination.hasPrefix("//") {
            // In a text above the list, it is no part of it.
            if open.isEmpty { return }
            let found = outline.add(
                text.label,
                address: node.destination,
                parent: parent,
                at: location(node)
            )
            guard let found else { return }
            index = found
        } else {
            // In mdBook a link without a destination is a chapter that is not written yet.
            let path = destination.isEmpty ? nil : SitePathName.decode(destination)
            guard path != nil || destination.isEmpty else { return }
            index = add(text.label, path: path, parent: parent, node)
        }
        if let last = open.indices.last {
            open[last] = open[last] ?? index
        } else if node.parent?.kind == .heading {
            part = index
        }
    }

    private mutating func add(_ label: String, path: String?, parent: Int?, _ node: Node) -> Int {
        outline.add(label, path: path, parent: parent, at: location(node))
    }

    private func location(_ node: Node) -> SourceLocation {
        SourceLocation(displayPath, line: node.line, column: node.column)
    }
}
