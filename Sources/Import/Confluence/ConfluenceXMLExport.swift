import Diagnostics
import MarkdownWriting
import POSIX

/// A space that Confluence exported as XML: `entities.xml` holds the rows of its tables.
struct ConfluenceXMLExport {
    static let file = "entities.xml"

    /// A row, with the values of its properties as texts.
    private struct Row {
        let id: String
        let values: [String: String]
        /// The ids in a collection.
        let collections: [String: [String]]

        init(_ object: Markup) {
            var values: [String: String] = [:]
            var collections: [String: [String]] = [:]
            var id = ""
            for child in object.children {
                switch child.name {
                case "id": id = child.words
                case "property":
                    let key = child.child("id")
                    values[child["name"]] = key?.words ?? child.text
                case "collection":
                    collections[child["name"]] = child.children("element").map(\.words)
                default: continue
                }
            }
            self.id = id
            self.values = values
            self.collections = collections
        }

        subscript(name: String) -> String { values[name] ?? "" }

        /// The first value that is there: names differ between versions.
        func first(_ names: String...) -> String {
            names.map { self[$0] }.first { !$0.isEmpty } ?? ""
        }

        /// Whether it is the row of today, and not of an earlier version, a draft or the bin.
        var isCurrent: Bool {
            original.isEmpty && ["", "current"].contains(self["contentStatus"].words)
        }

        /// The id of today's version, in the row of an earlier one.
        var original: String { first("originalVersion", "originalVersionId").words }
    }

    private static let kinds: Set<String> = [
        "Attachment", "BlogPost", "BodyContent", "ConfluenceUserImpl", "ContentPermission",
        "ContentPermissionSet", "InternalUser", "Label", "Labelling", "Page", "Space",
        "SpacePermission",
    ]

    private var rows: [String: [Row]] = [:]
    private(set) var space = ConfluenceSpace(title: "")

    init(_ source: OpenFolder) throws {
        var reader = MarkupReader(
            try source.read(Self.file, maximumBytes: 4 << 30),
            isXML: true
        )
        while let object = reader.next("object") {
            let kind = object["class"]
            if Self.kinds.contains(kind) { rows[kind, default: []].append(Row(object)) }
        }
        try readSpace(source)
    }

    private mutating func readSpace(_ source: OpenFolder) throws {
        let pages = rows["Page", default: []].filter(\.isCurrent)
        let posts = rows["BlogPost", default: []].filter(\.isCurrent)
        let spaces = Set((pages + posts).map { $0["space"] }.filter { !$0.isEmpty })
        guard spaces.count < 2 else {
            throw CommandError(
                "'\(Self.file)' has pages of \(spaces.count) spaces; export each by itself"
            )
        }
        let row = rows["Space", default: []].first { spaces.isEmpty || spaces.contains($0.id) }
        space = ConfluenceSpace(title: row?["name"].words ?? "Confluence")
        space.key = row?["key"].words ?? ""
        for kind in ["ConfluenceUserImpl", "InternalUser"] {
            for user in rows[kind, default: []] where !user["name"].isEmpty {
                space.users[user.id] = user.first("fullName", "displayName", "name")
                space.users[user["name"]] = user.first("fullName", "displayName", "name")
            }
        }
        let bodies = Dictionary(
            rows["BodyContent", default: []].map { ($0["content"], $0["body"]) },
            uniquingKeysWith: { first, _ in first }
        )
        let restrictions = restrictions(of: rows["Page", default: []] + posts)
        let files = attachments(source)
        let tags = tags
        let all = Dictionary(
            (rows["Page", default: []] + rows["BlogPost", default: []]).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let ids = Set(pages.map(\.id))
        let children = Dictionary(grouping: pages) {
            ids.contains($0["parent"]) ? $0["parent"] : ""
        }
        var added: Set<String> = []
        let others = (rows["Page", default: []] + rows["BlogPost", default: []]).filter {
            $0.original.isEmpty && !$0.isCurrent
        }
        for row in all.values where !row.isCurrent {
            if Self.chain(row.id, all, restrictions).isEmpty { continue }
            space.hidden.formUnion([row["title"].words.lowercased(), row.id])
        }
        if !others.isEmpty {
            space.site.warnings.append(
                "\(others.count) drafts, archived and deleted pages are left out"
            )
        }
        let home = row?["homePage"] ?? ""
        let top = (children[""] ?? []).sorted(by: Self.precedes)
        var waiting: [(row: Row, parent: Int?)] =
            (top.filter { $0.id == home } + top.filter { $0.id != home } + posts)
            .reversed().map { ($0, nil) }
        // A stack of its own, no recursion: the export says how deep pages are nested.
        while let (row, parent) = waiting.popLast() {
            guard added.insert(row.id).inserted else { continue }
            var page = ImportedPage(title: row["title"])
            page.parent = parent
            page.aliases = aliases(of: row)
            page.tags = tags[row.id] ?? []
            page.changed = Self.day(row.first("lastModificationDate", "creationDate"))
            // The pages above may be no pages of today, and restricted.
            page.restrictions =
                parent == nil
                ? Self.chain(row.id, all, restrictions) : restrictions[row.id].map { [$0] } ?? []
            if parent == nil, !row["parent"].isEmpty, all[row["parent"]] == nil {
                space.site.warnings.append(
                    "the page above '\(page.title)' is not in the export; the page is closed"
                )
            }
            page.attachments = files[row.id] ?? []
            let index = space.site.pages.count
            if row.id == home { space.site.home = index }
            space.add(page, id: row.id, .storage(bodies[row.id] ?? ""))
            waiting += (children[row.id] ?? []).sorted(by: Self.precedes).reversed().map {
                ($0, index)
            }
        }
        guard added.count == Set((pages + posts).map(\.id)).count else {
            throw CommandError("'\(Self.file)' has pages that are below themselves")
        }
        space.site.readers = readers(of: spaces.first ?? row?.id ?? "")
    }

    /// By position, and those without one by title, as Confluence shows them.
    private static func precedes(_ left: Row, _ right: Row) -> Bool {
        let (first, second) = (Int(left["position"]) ?? .max, Int(right["position"]) ?? .max)
        return first == second
            ? left["title"].lowercased() < right["title"].lowercased() : first < second
    }

    /// `2014-03-01 12:33:11.123` without its time.
    private static func day(_ moment: String) -> String {
        let day = moment.prefix(10)
        let shape = day.map { $0.isASCII && $0.isNumber ? "0" : String($0) }.joined()
        return shape == "0000-00-00" ? String(day) : ""
    }

    private func aliases(of row: Row) -> [String] {
        let title = row["title"].words.split(separator: " ").joined(separator: "+")
        let isPlain = title.allSatisfy { $0.isLetter || $0.isNumber || "+-_.".contains($0) }
        if space.key.isEmpty || !isPlain { return [] }
        return ["/display/\(space.key)/\(title)", "/spaces/\(space.key)/pages/\(row.id)/\(title)"]
    }

    private var tags: [String: [String]] {
        var names: [String: String] = [:]
        for label in rows["Label", default: []] {
            let isGlobal = ["", "global"].contains(label["namespace"])
            if isGlobal { names[label.id] = label["name"].words }
        }
        var tags: [String: [String]] = [:]
        for row in rows["Labelling", default: []] {
            if let name = names[row["label"]] {
                tags[row.first("content", "labelableId"), default: []].append(name)
            }
        }
        return tags
    }

    /// The newest version of each file.
    private mutating func attachments(_ source: OpenFolder) -> [String: [Attachment]] {
        var newest: [String: [String: (version: Int, path: String)]] = [:]
        for row in rows["Attachment", default: []]
        where ["", "current"].contains(row["contentStatus"]) {
            let owner = row.first("containerContent", "content")
            let name = row.first("title", "fileName").words
            let version = Int(row.first("version", "attachmentVersion")) ?? 1
            let id = row.original.isEmpty ? row.id : row.original
            let isNewest = newest[owner]?[name].map { $0.version < version } ?? true
            let isNumbers = (owner + id).allSatisfy { $0.isASCII && $0.isNumber }
            guard isNewest, isNumbers, !name.isEmpty else { continue }
            // Some versions name the file after its own version, some after the first.
            let folder = "attachments/\(owner)/\(id)/"
            let paths = ["\(version)", row["attachmentVersion"], "1"].map { folder + $0 }
            guard let path = paths.first(where: { (try? source.readStart($0, bytes: 1)) != nil })
            else {
                space.site.warnings.append("file '\(name)' is not in the export")
                continue
            }
            newest[owner, default: [:]][name] = (version, path)
        }
        return newest.mapValues { files in
            files.keys.sorted().compactMap { name in
                files[name].map { Attachment(name: name, path: $0.path) }
            }
        }
    }

    /// Who may read a page, where that is said.
    ///
    /// A restriction of an unknown kind, or one whose readers are not in the export, closes the
    /// page, too.
    private func restrictions(of pages: [Row]) -> [String: Restriction] {
        var owners: [String: String] = [:]
        for page in pages {
            for set in page.collections["contentPermissionSets", default: []] {
                owners[set] = page.id
            }
        }
        var permissions: [String: [Row]] = [:]
        var byID: [String: Row] = [:]
        for row in rows["ContentPermission", default: []] {
            permissions[row["owningSet"], default: []].append(row)
            byID[row.id] = row
        }
        var restrictions: [String: Restriction] = [:]
        for set in rows["ContentPermissionSet", default: []] where set["type"].words != "Edit" {
            let owner = set["owningContent"].isEmpty ? owners[set.id] ?? "" : set["owningContent"]
            var restriction = restrictions[owner] ?? Restriction()
            let listed = set.collections["contentPermissions", default: []].compactMap { byID[$0] }
            for row in permissions[set.id, default: []] + listed {
                let group = row["groupName"].words
                if !group.isEmpty { restriction.groups.insert(group) }
                let user = row.first("userSubject", "userName").words
                if !user.isEmpty { restriction.users[user] = space.users[user] ?? user }
            }
            restrictions[owner] = restriction
        }
        return restrictions
    }

    /// The restrictions of a page and of all above it, whether they are pages of today or not.
    private static func chain(
        _ id: String,
        _ pages: [String: Row],
        _ restrictions: [String: Restriction]
    ) -> [Restriction] {
        var chain: [Restriction] = []
        var seen: Set<String> = []
        var next = id
        while !next.isEmpty, seen.insert(next).inserted {
            if let restriction = restrictions[next] { chain.append(restriction) }
            guard let row = pages[next] else {
                // Nobody knows who could read it.
                chain.append(Restriction())
                break
            }
            next = row.original.isEmpty ? row["parent"] : row.original
        }
        return chain.reversed()
    }

    /// Who may read the whole space; `nil` for all.
    private mutating func readers(of id: String) -> Restriction? {
        var readers = Restriction()
        let rows = rows["SpacePermission", default: []].filter { $0["type"].words == "VIEWSPACE" }
        if rows.isEmpty {
            space.site.warnings.append(
                "the export does not say who may read the space: the site is for all who sign in"
            )
            return nil
        }
        // Without a row of its own, the space is for nobody.
        for row in rows where row["space"].isEmpty || row["space"] == id {
            if !row["allUsersSubject"].isEmpty { return nil }
            let group = row.first("group", "groupName").words
            let user = row.first("userSubject", "userName").words
            if !group.isEmpty { readers.groups.insert(group) }
            if !user.isEmpty { readers.users[user] = space.users[user] ?? user }
        }
        return readers
    }
}
