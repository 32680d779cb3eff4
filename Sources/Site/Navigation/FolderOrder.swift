import Access
import Diagnostics
import Rules
import SourceFolder
import YAML

/// What files of other tools say about the order and the names of the pages in their folders.
package struct FolderOrder: Sendable {
    /// The place of a page or folder that such a file lists, by its path without an extension.
    private var places: [String: Double] = [:]
    /// What `order` would be in the front matter of a folder's index page.
    private var orders: [String: Double] = [:]
    private var labels: [String: String] = [:]
    private(set) var hidden: Set<String> = []
    private(set) var diagnostics: [Diagnostic] = []

    var isEmpty: Bool { places.isEmpty && orders.isEmpty && labels.isEmpty && hidden.isEmpty }

    func order(of path: Substring) -> Double? { places[String(path)] ?? orders[String(path)] }
    func label(of path: Substring) -> String? { labels[String(path)] }

    /// - Parameter files: those of ``PathFilter/navigationNames``.
    init(_ files: [SourceTree.File]) {
        for file in files {
            let slash = file.path.utf8.lastIndex(of: UInt8(ascii: "/"))
            let name = slash.map { file.path[file.path.utf8.index(after: $0)...] } ?? file.path[...]
            read(file, String(name), in: String(slash.map { file.path[..<$0] } ?? ""))
        }
    }

    private mutating func read(_ file: SourceTree.File, _ name: String, in folder: String) {
        do throws(Mistake) {
            let text = try Self.text(file)
            if name == ".order" {
                // Azure DevOps shows the names of files.
                let names = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
                return list(names.map { (Self.azureLabel($0), String($0)) }, in: folder)
            }
            guard case .mapping(let keys) = try Self.yaml(text)?.content else { return }
            for (key, value) in keys {
                switch key.text ?? "" {
                case "label", "title": labels[folder] = value.text
                case "position": orders[folder] = value.number
                case "hide": if value.bool == true { hidden.insert(folder) }
                case "nav", "arrange": list(Self.entries(value), in: folder)
                default: break
                }
            }
        } catch {
            let location = SourceLocation(file.displayPath, line: error.line, column: error.column)
            diagnostics.append(Diagnostic(.navigationFile, error.message, at: location))
        }
    }

    private mutating func list(_ entries: [(label: String?, name: String)], in folder: String) {
        // Before all pages that only their front matter orders; behind `...`, after all of them.
        var place = NavigationRanking.first
        for (label, name) in entries {
            if name.hasPrefix("...") {
                place = NavigationRanking.last
                continue
            }
            let isFile = name.hasSuffix(".md")
            let segments = (isFile ? name.dropLast(3) : name[...]).split(separator: "/")
            let path = ((folder.isEmpty ? [] : [folder[...]]) + segments).joined(separator: "/")
            place += 1
            if places[path] == nil { places[path] = place }
            if let label { labels[path] = label }
        }
    }

    /// The entries of a list of MkDocs; those of sections in it, too.
    private static func entries(_ node: YAMLNode) -> [(label: String?, name: String)] {
        switch node.content {
        case .scalar(let name, _, _): [(nil, name)]
        case .sequence(let nodes): nodes.flatMap(entries)
        case .mapping(let pairs):
            pairs.flatMap { key, value in
                value.text.map { [(key.text, $0)] } ?? entries(value)
            }
        }
    }

    private static func azureLabel(_ name: Substring) -> String {
        let spaced = name.map { $0 == "-" ? " " : "\($0)" }.joined()
        return SitePathName.decode(spaced[...]) ?? spaced
    }
}

extension FolderOrder {
    struct Mistake: Error {
        let message: String
        var line = 1
        var column = 1
    }

    static func text(_ file: SourceTree.File) throws(Mistake) -> [UInt8] {
        do {
            let text = DecodedText(try file.read())
            if let mistake = text.mistake {
                throw Mistake(message: mistake.message, line: mistake.line)
            }
            return text.utf8
        } catch let mistake as Mistake { throw mistake } catch {
            throw Mistake(message: "\(error)")
        }
    }

    static func yaml(_ text: [UInt8]) throws(Mistake) -> YAMLNode? {
        do { return try YAMLParser.document(text) } catch {
            let mark = error.mark
            throw Mistake(message: error.problem, line: mark.line, column: mark.column)
        }
    }
}
