import Markdown
import SourceFolder
import Synchronization

/// Resolves links by name: `[[Page]]` by the name of a file or folder, a title or an alias of a
/// page, and `![[picture.png]]` by the name of a file.
final class WikiNames: Sendable {
    /// A name of a page or file.
    private struct Name {
        /// What the name is; the smallest comes first.
        enum Kind: Int { case file, title, alias, variant }
        let kind: Kind
        /// The path or the name as it is written.
        let text: String
        /// The segments of the path, as ``key(_:)`` compares them.
        let path: [String]
        let url: String
        /// The path of the file.
        let file: String
    }

    private typealias Names = [String: [Name]]

    private let site: Site
    /// By their last segments; made for the first such link, because most sites have none.
    private let names = Mutex<Names?>(nil)

    init(_ site: Site) { self.site = site }

    /// The URL for `Page#heading`, and the files of all pages that the name may mean if it is
    /// ambiguous, that of the URL first.
    ///
    /// A name without a page stays as written, and is a dead link.
    func destination(of text: String, from page: Page) -> (url: String, candidates: [String]) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let anchor = parts.count > 1 ? "#" + SitePathName.encode(String(parts[1])) : ""
        if parts[0].isEmpty { return (anchor, []) }
        let found = find(String(parts[0]), from: page)
        guard let first = found.first else { return (text, []) }
        let candidates = found.count > 1 ? found.map(\.file) : []
        return (SitePathName.encode(first.url) + anchor, candidates)
    }

    private func find(_ name: String, from page: Page) -> [Name] {
        let names = known()
        let path = Self.withoutEnding(name)
        let isFixed = path.hasPrefix("/") || path.hasPrefix("./") || path.hasPrefix("../")
        guard let joined = isFixed ? SitePathName.join(path, to: page.file.path) : path else {
            return []
        }
        let segments = joined.split(separator: "/").map { Self.key(String($0)) }
        guard let last = segments.last else { return [] }
        var found = (names[last] ?? []).filter { known in
            let isWhole = known.path.count == segments.count || !isFixed
            return isWhole && known.path.suffix(segments.count) == segments[...]
                && (!isFixed || known.kind == .file)
        }
        if found.isEmpty, segments.count > 1 { found = names[Self.key(path)] ?? [] }
        // The name of a file, letter by letter or but for case, goes before names like it.
        let same = found.filter { $0.kind == .file && Self.ends($0.text, with: joined) }
        let exact = same.filter { Self.ends($0.text, with: joined, inAnyCase: false) }
        found = [exact, same].first { !$0.isEmpty } ?? found
        // A path from the top of the vault, as Obsidian writes it where a name is not unique.
        if segments.count > 1, let exact = found.first(where: { $0.path == segments }) {
            return [exact]
        }
        return ranked(found, from: page, segments)
    }

    private static func ends(_ path: String, with end: String, inAnyCase: Bool = true) -> Bool {
        let path = inAnyCase ? path.lowercased() : path
        let end = (inAnyCase ? end.lowercased() : end).drop { $0 == "/" }
        return "/\(path)".hasSuffix("/\(end)")
    }

    /// The path of the only file with a name.
    func file(named name: String) -> String? {
        let known = known()[Self.key(Self.withoutEnding(name))] ?? []
        let files = known.filter { $0.kind == .file && "/\($0.file)".hasSuffix("/\(name)") }
        return Set(files.map(\.file)).count == 1 ? files[0].file : nil
    }

    private func known() -> Names {
        names.withLock { names in
            let made = names ?? all()
            names = made
            return made
        }
    }

    /// The pages in the order in which they are meant: by the kind of the name, and then the nearest.
    private func ranked(_ found: [Name], from page: Page, _ segments: [String]) -> [Name] {
        guard found.count > 1 else { return found }
        let folder = page.file.path.split(separator: "/").dropLast()
        func distance(_ name: Name) -> [Int] {
            let path = name.file.split(separator: "/")
            let shared = zip(path.dropLast(), folder).prefix { $0 == $1 }.count
            let isExact = name.kind == .file && name.path == segments
            return [name.kind.rawValue, isExact ? 0 : 1, -shared, path.count, name.file.utf8.count]
        }
        let sorted = found.map { ($0, distance($0)) }.sorted { one, other in
            one.1 == other.1 ? one.0.url < other.0.url : one.1.lexicographicallyPrecedes(other.1)
        }
        var seen: Set<String> = []
        let distinct = sorted.map(\.0).filter { seen.insert($0.url).inserted }
        // A title may be another page's name; what only resembles a name is no rival.
        let kind = max(distinct[0].kind.rawValue, Name.Kind.title.rawValue)
        return [distinct[0]]
            + distinct.dropFirst().filter { $0.kind.rawValue <= kind && $0.kind != .variant }
    }

    private func all() -> Names {
        var names: Names = [:]
        func add(_ kind: Name.Kind, _ path: String, _ url: String, _ file: String) {
            let segments =
                kind == .file
                ? path.split(separator: "/").map { Self.key(String($0)) } : [Self.key(path)]
            guard let last = segments.last, !last.isEmpty else { return }
            names[last, default: []].append(
                Name(kind: kind, text: path, path: segments, url: url, file: file)
            )
        }
        for page in site.pages {
            let path = page.file.path
            let stem = Self.withoutEnding(path)
            add(.file, stem, page.url, path)
            if page.file.isIndex {
                let folder = stem.prefix(upTo: stem.lastIndex(of: "/") ?? stem.startIndex)
                add(.file, String(folder), page.url, path)
            } else if page.frontMatter.slug != nil {
                add(.file, page.url, page.url, path)
            }
            add(.title, page.title, page.url, path)
            for alias in page.frontMatter.aliases { add(.alias, alias.text, page.url, path) }
        }
        for (url, file) in site.assets {
            add(.file, url, url, file.path)
            if let name = Self.variant(url) { add(.variant, name, url, file.path) }
        }
        return names
    }

    /// The name by which DocC's pages show a picture: `plan` for `plan@2x.png`.
    private static func variant(_ url: String) -> String? {
        guard ContentType.of(url).hasPrefix("image/"), !url.contains("~dark"),
            let file = url.split(separator: "/").last
        else { return nil }
        let name = file.prefix(upTo: file.lastIndex(of: ".") ?? file.endIndex)
        return name.prefix { $0 != "@" && $0 != "~" }.description
    }

    private static func withoutEnding(_ path: String) -> String {
        for ending in SitePathName.pageEndings where path.hasSuffix(ending) {
            return String(path.dropLast(ending.count))
        }
        return path
    }

    /// In lower case, with words separated by one space.
    private static func key(_ name: String) -> String {
        name.lowercased().split { $0.isWhitespace || $0 == "-" || $0 == "_" }.joined(separator: " ")
    }
}
