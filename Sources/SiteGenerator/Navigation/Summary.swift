import CommonMark
import Diagnostics
import POSIX

/// `SUMMARY.md` at the top of the source folder: a list of links that gives the navigation its
/// order and its labels, as mdBook has it.
///
/// It is no page of its own.
struct Summary: Sendable {
    static let path = "SUMMARY.md"

    struct Entry: Sendable {
        let position: Int
        let label: String
        let place: Place
    }

    /// By the path of a page's file.
    private(set) var entries: [String: Entry] = [:]
    private(set) var diagnostics: [Diagnostic] = []

    /// `nil` where there is no such file.
    init?(_ files: [SourceTree.File]) {
        guard let file = files.first(where: { $0.path == Self.path }) else { return nil }
        do {
            read(try File.read(file.diskPath), file.displayPath)
        } catch {
            diagnostics.append(Diagnostic(.error, error.reason, at: Place(file.displayPath)))
        }
    }

    /// The links that lead to no page of the site.
    func diagnostics(for site: Site) -> [Diagnostic] {
        diagnostics
            + entries.compactMap { path, entry in
                if site.page(inFile: path) != nil || site.absence(of: path) != nil {
                    return nil
                }
                return Diagnostic(.error, "link to '\(path)' has no page", at: entry.place)
            }
    }

    private mutating func read(_ markdown: [UInt8], _ displayPath: String) {
        var label: String?
        Document(markdown).walk { node, entering in
            switch node.kind {
            case .link where entering: label = ""
            case .link:
                add(node, label ?? "", displayPath)
                label = nil
            case .text where label != nil, .code where label != nil: label? += node.literal
            case .softBreak where label != nil: label? += " "
            default: break
            }
            return .descend
        }
    }

    private mutating func add(_ node: Node, _ label: String, _ displayPath: String) {
        // Without a destination it is a chapter that is still to be written.
        let destination = node.destination.prefix { $0 != "#" && $0 != "?" }
        guard !destination.isEmpty, !destination.contains(":"),
            let decoded = SitePathName.decode(destination)
        else { return }
        let path = decoded.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        if entries[path] != nil { return }
        entries[path] = Entry(
            position: entries.count,
            label: label.isEmpty ? path : label,
            place: Place(displayPath, line: node.line, column: node.column)
        )
    }
}
