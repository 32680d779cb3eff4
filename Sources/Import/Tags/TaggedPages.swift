import Diagnostics
import POSIX

/// Pages in Markdown with tags of their own tool, and the files beside them.
struct TaggedPages {
    private static let maximumDepth = 40

    private let source: OpenFolder
    private let mapping: TagMapping
    private(set) var paths: [String] = []
    private(set) var warnings: [String] = []

    init(_ source: OpenFolder, _ mapping: TagMapping) throws {
        self.source = source
        self.mapping = mapping
        try list("", depth: 0)
    }

    private mutating func list(_ folder: String, depth: Int) throws {
        guard depth < Self.maximumDepth else {
            warnings.append("'\(folder)' is nested too deep; it is left out")
            return
        }
        for entry in try source.entries(of: folder) where !entry.name.hasPrefix(".") {
            let path = folder.isEmpty ? entry.name : "\(folder)/\(entry.name)"
            switch entry.kind {
            case .folder: try list(path, depth: depth + 1)
            case .file: paths.append(path)
            default: warnings.append("'\(path)' is no file; it is left out")
            }
        }
    }

    static func isPage(_ path: String) -> Bool {
        [".md", ".mdx", ".markdown"].contains { path.lowercased().hasSuffix($0) }
    }

    /// A file as it is written.
    func bytes(_ path: String, note: (String) -> Void) throws -> [UInt8] {
        let bytes = try source.read(path, maximumBytes: 2 << 30)
        // Bytes that are no text would not survive.
        guard Self.isPage(path), let text = String(validating: bytes, as: UTF8.self) else {
            return bytes
        }
        return Array(mapping.rewritten(text, note: note).utf8)
    }
}
