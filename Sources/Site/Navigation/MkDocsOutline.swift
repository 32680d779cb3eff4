import Diagnostics
import SourceFolder
import YAML

/// `nav` of MkDocs, a list of files, of files with labels, and of sections; or `sidebars.json` of
/// Docusaurus, in which items are also tables.
struct MkDocsOutline {
    private(set) var outline: NavigationOutline
    private let file: String

    init(_ navigation: (value: YAMLNode, file: String)) {
        file = navigation.file
        outline = NavigationOutline("'nav' in '\(file)'")
        add(navigation.value, label: nil, below: nil)
    }

    private mutating func add(_ node: YAMLNode, label: String?, below parent: Int?) {
        switch node.content {
        case .scalar(let path, _, _):
            // A link to another site, or MkDocs' own marks for "all other pages".
            if path.contains(":") || path.hasPrefix("...") || path.contains("*") { return }
            _ = outline.add(label, path: path, parent: parent, at: location(node))
        case .sequence(let nodes):
            var parent = parent
            var nodes = nodes[...]
            if let label {
                // As Material for MkDocs does it, the index page of a section is its head.
                let head = nodes.first?.text.flatMap { SitePathName.isIndex($0) ? $0 : nil }
                if head != nil { nodes = nodes.dropFirst() }
                parent = outline.add(label, path: head, parent: parent, at: location(node))
            }
            for node in nodes { add(node, label: nil, below: parent) }
        case .mapping(let pairs) where pairs.contains { $0.key.text == "type" }:
            let keys = Dictionary(pairs.map { ($0.key.text ?? "", $0.value) }) { first, _ in first }
            guard let below = keys["items"] ?? keys["id"] else { return }
            add(below, label: keys["label"]?.text ?? label, below: parent)
        case .mapping(let pairs):
            for (key, value) in pairs { add(value, label: key.text, below: parent) }
        }
    }

    private func location(_ node: YAMLNode) -> SourceLocation {
        SourceLocation(file, line: node.mark.line, column: node.mark.column)
    }
}
