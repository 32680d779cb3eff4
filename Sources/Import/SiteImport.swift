import Diagnostics
import MarkdownWriting
import OpenSSL
import POSIX

/// Makes a site of what another system exported.
public struct SiteImport {
    /// What the command prints about a finished import.
    public private(set) var report = ""

    private var destination: Destination
    private let source: OpenFolder
    private let sourcePath: String
    private var warnings: [String] = []

    /// Imports a folder.
    ///
    /// - Parameters:
    ///   - source: an unpacked export; it is only read.
    ///   - folder: new, empty, or made by an earlier import.
    ///   - jira: the address of Jira, for the keys of issues in Confluence's macros.
    ///   - mapping: a file that says what the tags of pages in Markdown become.
    public init(
        _ source: String,
        into folder: String,
        jira: String? = nil,
        mapping: String? = nil
    ) throws(CommandError) {
        do {
            if try FileStatus(of: source).kind != .folder {
                let isArchive = source.lowercased().hasSuffix(".zip")
                throw CommandError(
                    isArchive
                        ? "'\(source)' is an archive; unzip it, and name the folder"
                        : "'\(source)' is no folder"
                )
            }
            // Before anything is written, in case nothing can be read.
            let (system, path) =
                try mapping.map { path in
                    let text = try File.read(path, maximumBytes: 1 << 20)
                    return (System.tagged(try TagMapping(text, path: path)), source)
                } ?? System.find(in: source)
            self.source = try OpenFolder(path)
            sourcePath = path
            try Self.separate(source, folder)
            destination = try Destination(folder)
            try run(system, jira)
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(error)", isDisk: true)
        }
    }

    /// The systems whose exports are understood.
    private enum System {
        case confluence(isXML: Bool)
        case notion(String)
        case tagged(TagMapping)

        /// The export in a folder, or in the only folder below it that is one.
        static func find(in path: String) throws -> (System, path: String) {
            let source = try OpenFolder(path)
            if let system = try System(source) { return (system, path) }
            let entries = try source.entries()
            let found = try entries.filter { $0.kind == .folder }.compactMap { entry in
                try System(OpenFolder("\(path)/\(entry.name)")).map { ($0, entry.name) }
            }
            if let (system, name) = found.first, found.count == 1 {
                return (system, "\(path)/\(name)")
            }
            if !found.isEmpty {
                let names = found.map { "'\($0.1)'" }.joined(separator: ", ")
                throw CommandError("\(names) in the folder are exports; name one of them")
            }
            if let archive = entries.first(where: { $0.name.lowercased().hasSuffix(".zip") }) {
                throw CommandError("'\(archive.name)' in the folder is an archive; unzip it first")
            }
            throw CommandError(
                "the folder is no export of Confluence (no 'entities.xml', no 'index.html' of"
                    + " a space) and none of Notion (no page whose name ends in an id); for other"
                    + " pages, '--map' names a file that says what their tags become"
            )
        }

        private init?(_ source: OpenFolder) throws {
            let names = try source.entries().map(\.name)
            if names.contains(ConfluenceXMLExport.file) {
                self = .confluence(isXML: true)
            } else if names.contains("index.html"),
                ConfluenceHTMLExport.isIndex(try source.read("index.html"))
            {
                self = .confluence(isXML: false)
            } else if let file = try Self.notionFile(source, "", depth: 0) {
                self = .notion(file)
            } else {
                return nil
            }
        }

        private static func notionFile(
            _ source: OpenFolder,
            _ folder: String,
            depth: Int
        ) throws -> String? {
            let prefix = folder.isEmpty ? "" : folder + "/"
            let entries = try source.entries(of: folder)
            for entry in entries where entry.kind == .file {
                let isText = entry.name.hasSuffix(".md") || entry.name.hasSuffix(".csv")
                if isText, !NotionName(entry.name).id.isEmpty { return prefix + entry.name }
            }
            for entry in entries where entry.kind == .folder && depth < 3 {
                let file = try notionFile(source, prefix + entry.name, depth: depth + 1)
                if let file { return file }
            }
            return nil
        }
    }

    /// Refuses folders of which one is in the other; nothing is made before.
    private static func separate(_ source: String, _ folder: String) throws {
        for (inner, outer) in [(source, folder), (folder, source)] {
            guard let wanted = try? FileStatus(of: outer) else { continue }
            var path = inner
            while (try? FileStatus(of: path)) == nil {
                path = path.split(separator: "/").dropLast().joined(separator: "/")
                path = (inner.hasPrefix("/") ? "/" : "./") + path
            }
            var last: FileStatus?
            while let status = try? FileStatus(of: path), status.inode != last?.inode {
                if status.inode == wanted.inode, status.device == wanted.device {
                    throw CommandError("'\(folder)' must be neither in '\(source)' nor around it")
                }
                last = status
                path += "/.."
            }
        }
    }

    private mutating func run(_ system: System, _ jira: String?) throws {
        switch system {
        case .confluence(let isXML):
            report =
                "imports a space of Confluence, because '\(sourcePath)/"
                + (isXML ? "entities.xml' is there\n" : "index.html' has its pages\n")
            var space =
                try isXML ? ConfluenceXMLExport(source).space : ConfluenceHTMLExport(source).space
            space.jira = jira
            try write(space)
        case .notion(let file):
            report = "imports pages of Notion, because the name of '\(file)' ends in an id\n"
            let export = try NotionExport(source)
            let layout = SiteLayout(export.site)
            let conversion = Conversion(layout) { export.target(of: $0, on: $1, layout) }
            try write(conversion) { page in try export.markdown(page) }
        case .tagged(let mapping):
            report = "imports pages in Markdown, because '--map' says what their tags become\n"
            try write(TaggedPages(source, mapping))
        }
    }

    private mutating func write(_ pages: TaggedPages) throws {
        var uses: [String: Int] = [:]
        func bytes(_ path: String) throws -> [UInt8] {
            try pages.bytes(path) { uses[$0, default: 0] += 1 }
        }
        // Their front matter says who may read the pages: a page that changed on both sides is for a
        // person to decide, and anything else than its bytes would guess.
        func state(_ bytes: [UInt8]) -> String { Digest.hexadecimal(Digest.sha256(bytes)) }
        let texts = pages.paths.filter(TaggedPages.isPage)
        try refuse(texts.map { ("site/\($0)", state(try bytes($0))) })
        uses = [:]
        for path in pages.paths {
            let bytes = try bytes(path)
            let state = TaggedPages.isPage(path) ? state(bytes) : nil
            try destination.write(bytes, to: "site/\(path)", access: state)
        }
        let name = sourcePath.split(separator: "/").last.map(String.init) ?? "Site"
        let layout = SiteLayout(ImportedSite(title: name, pages: [], warnings: pages.warnings))
        try finish(
            layout,
            SettingsText(layout),
            uses,
            "\(texts.count) pages, \(pages.paths.count - texts.count) files"
        )
    }

    private func refuse(
        _ access: [(path: String, group: String?)],
        restricted: [String: Set<String>] = [:]
    ) throws {
        let conflicts = destination.conflicts(access, restricted: restricted)
        guard conflicts.isEmpty else {
            throw CommandError(
                "somebody changed these files, and the export has other readers for them now; "
                    + "nothing was written: "
                    + conflicts.map { "'\($0)'" }.joined(separator: ", ")
                    + "; decide, then delete their lines in '\(Destination.recordName)'"
            )
        }
    }

    private mutating func write(_ space: ConfluenceSpace) throws {
        guard !space.site.pages.isEmpty else { throw CommandError("the export has no page") }
        let layout = SiteLayout(space.site)
        let conversion = Conversion(layout) { space.target(of: $0, on: $1, layout) }
        let source = source
        try write(conversion) { page in
            let writer = MarkdownWriter(page: page)
            switch space.bodies[page.index] {
            case .storage(let text):
                return writer.text(StorageFormat(space: space, page: page).pieces(text))
            case .html(let file):
                let tree = MarkupReader.tree(try source.read(file), isXML: false)
                let content = tree.first { $0["id"] == "main-content" }?.children ?? []
                return writer.text(ExportedHTML(space: space, page: page).rewritten(content))
            }
        }
    }

    private mutating func write(
        _ conversion: Conversion,
        _ text: (PageConversion) throws -> String
    ) throws {
        let layout = conversion.layout
        let settings = SettingsText(layout)
        let access = layout.files.indices.map { ("site/\(layout.files[$0])", layout.access[$0]) }
        var restricted: [String: Set<String>] = [:]
        for (index, page) in layout.site.pages.enumerated()
        where !page.id.isEmpty && layout.isRestricted(index) {
            let files = [layout.files[index]] + layout.attachments[index].map(\.path)
            restricted[page.id, default: []].formUnion(files.map { "site/\($0)" })
        }
        try refuse(access + [(SettingsText.file, settings.readers)], restricted: restricted)
        // Which headings need an id is known once all links have been seen.
        for index in layout.files.indices { _ = try text(PageConversion(conversion, index)) }
        conversion.forgetUses()
        for index in layout.files.indices {
            let page = PageConversion(conversion, index)
            let bytes = Array(page.file(try text(page)).utf8)
            try destination.write(
                bytes,
                to: "site/\(layout.files[index])",
                access: layout.access[index],
                id: layout.site.pages[index].id
            )
        }
        var fileCount = 0
        for index in layout.files.indices {
            for (attachment, place) in zip(
                layout.site.pages[index].attachments,
                layout.attachments[index]
            ) {
                do {
                    let bytes = try source.read(attachment.path, maximumBytes: 2 << 30)
                    try destination.write(
                        bytes,
                        to: "site/\(place.path)",
                        id: layout.site.pages[index].id
                    )
                    fileCount += 1
                } catch let error as SystemError {
                    warnings.append("'\(attachment.path)' is left out: \(error)")
                }
            }
        }
        try finish(
            layout,
            settings,
            conversion.uses,
            "\(layout.files.count) pages, \(fileCount) files"
        )
    }

    /// Writes what every site has, and the report.
    private mutating func finish(
        _ layout: SiteLayout,
        _ settings: SettingsText,
        _ uses: [String: Int],
        _ counts: String
    ) throws {
        try destination.write(
            Array(settings.text.utf8),
            to: SettingsText.file,
            access: settings.readers
        )
        try destination.write(Array("/public/\n/.sitegen/\nsecrets.toml\n".utf8), to: ".gitignore")
        try destination.finish()
        report += "\(counts)\n"
        func list(_ title: String, _ lines: [String]) {
            if lines.isEmpty { return }
            report += "\n\(title):\n" + lines.map { "  \($0)\n" }.joined()
        }
        list(
            "closed until 'sitegen.toml' defines these groups",
            settings.groups.map { "\($0.name): \($0.meaning)" }
        )
        let sorted = uses.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        list(
            "without a counterpart here, by number of uses",
            sorted.map { "\($0.value) \($0.key)" }
        )
        list("kept, because somebody changed them", destination.kept)
        list("warnings", layout.site.warnings + warnings)
    }
}
