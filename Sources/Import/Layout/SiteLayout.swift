/// Where each page and each file of an imported site is.
struct SiteLayout {
    /// Pages that are nested deeper stand beside their parents.
    private static let maximumDepth = 12

    let site: ImportedSite
    /// The file of each page, below the source folder.
    private(set) var files: [String] = []
    /// The files of each page by the names that they had.
    private(set) var attachments: [[(name: String, path: String)]] = []
    /// The new places of all files by their paths in the export.
    private(set) var filesByPath: [String: String] = [:]
    private(set) var orders: [Int] = []
    /// The groups that the page names in `access`, where it names one.
    private(set) var access: [String?] = []
    /// What each group was, for whoever defines it.
    private(set) var groups: [(name: String, meaning: String)] = []
    private(set) var aliases: [[String]] = []
    /// The restrictions of the page and of those above it.
    private var chains: [[Restriction]] = []

    init(_ site: ImportedSite) {
        self.site = site
        var names = FileNames()
        var counts: [String: Int] = [:]
        var takenAliases: Set<String> = []
        // The folder of the pages below each page, and the restrictions of that folder.
        var below: [(folder: String, depth: Int, chain: [Restriction])] = []
        let hasChildren = Set(site.pages.compactMap(\.parent))
        let top = site.home.map { site.pages[$0].restrictions } ?? []
        for (index, page) in site.pages.enumerated() {
            let isHome = index == site.home
            let place = page.parent.map { below[$0] } ?? (folder: "", depth: 0, chain: top)
            let above = page.parent.map { chains[$0] } ?? top
            let chain = above + (isHome ? [] : page.restrictions)
            var folder = place.folder
            if isHome {
                files.append("index.md")
                below.append((folder: "", depth: 0, chain: chain))
            } else {
                let name = names.page(page.title, in: place.folder)
                let isFolder =
                    hasChildren.contains(index) || !page.attachments.isEmpty
                    || !page.restrictions.isEmpty
                folder = isFolder ? "\(place.folder)\(name)/" : place.folder
                files.append(isFolder ? "\(folder)index.md" : "\(folder)\(name).md")
                let isDeep = place.depth >= Self.maximumDepth
                below.append(
                    isDeep ? place : (folder: folder, depth: place.depth + 1, chain: chain)
                )
            }
            chains.append(chain)
            counts[place.folder, default: 0] += 1
            orders.append(counts[place.folder, default: 0])
            attachments.append(
                page.attachments.map { ($0.name, folder + names.file($0.name, in: folder)) }
            )
            for (old, new) in zip(page.attachments, attachments[index]) {
                filesByPath[old.path] = new.path
            }
            access.append(nil)
            if isHome ? !chain.isEmpty : chain != place.chain {
                access[index] = group(for: chain)
            }
            aliases.append(
                page.aliases.filter { alias in
                    Self.isAlias(alias) && takenAliases.insert(alias.lowercased()).inserted
                }
            )
        }
    }

    /// Whether the page, or one above it, has a restriction.
    func isRestricted(_ page: Int) -> Bool { !chains[page].isEmpty }

    /// Whether the readers of one page are not those of the other.
    func isRestricted(_ page: Int, beyond other: Int) -> Bool {
        !chains[page].isEmpty && chains[page] != chains[other]
    }

    /// A relative link from one file of the site to another.
    static func path(from file: String, to target: String) -> String {
        let base = file.split(separator: "/").dropLast()
        let parts = target.split(separator: "/")
        let shared = zip(base, parts.dropLast()).prefix { $0 == $1 }.count
        let ups = Array(repeating: "..", count: base.count - shared)
        return (ups + parts[shared...].map(String.init)).joined(separator: "/")
    }

    private var groupsByChain: [[Restriction]: String] = [:]

    /// The group of those who may read.
    ///
    /// People define it in the site, so that its name must have the same meaning in the next import.
    /// Readers may see the name, so that it contains no title.
    private mutating func group(for chain: [Restriction]) -> String {
        if let name = groupsByChain[chain] { return name }
        var name = "restricted-\(Restriction.digest(chain))"
        if chain.count == 1, let only = chain.first, only.users.isEmpty, only.groups.count == 1,
            let group = only.groups.first, Self.isGroupName(group),
            !groups.contains(where: { $0.name.lowercased() == group.lowercased() })
        {
            name = group
        }
        groupsByChain[chain] = name
        let meaning = chain.map(\.description).joined(separator: "; and of these: ")
        groups.append((name: name, meaning: meaning))
        return name
    }

    private static func isGroupName(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { byte in
            let character = Character(Unicode.Scalar(byte))
            return character.isASCII
                && (character.isLetter || character.isNumber || "-_".contains(character))
        }
        return isPlain && name.first?.isLetter == true && name.count <= 64
            && !["public", "signed-in"].contains(name.lowercased())
            && !name.lowercased().hasPrefix("restricted-")
            && name.lowercased() != spaceReaders
    }

    /// The group of all readers, where the other system names them.
    static let spaceReaders = "space-readers"

    private static func isAlias(_ alias: String) -> Bool {
        let parts = alias.utf8.split(separator: UInt8(ascii: "/"))
        let first = alias.split(separator: "/").first?.lowercased() ?? ""
        return alias.hasPrefix("/") && !parts.isEmpty && parts.allSatisfy { $0.count <= 200 }
            && alias.utf8.count <= 800 && !parts.contains { $0.first == UInt8(ascii: ".") }
            && alias.unicodeScalars.allSatisfy { !"%?#;\\".unicodeScalars.contains($0) }
            && alias.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            && !first.hasPrefix("_") && first != "auth"
    }
}
