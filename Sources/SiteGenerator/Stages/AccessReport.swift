import Access
import Diagnostics
import Releases
import Rendering
import Site
import SourceFolder

/// Who may read the pages and files of a site, and where that is written.
public struct AccessReport: Sendable {
    /// The readers of one page or file.
    struct Entry: Sendable {
        let url: String
        /// The path of the file, as shown in diagnostics.
        let path: String
        let readers: Audience
        /// Where the readers are written.
        let reason: String
        var isPublished = true
    }

    /// The source folder, as diagnostics show it.
    private let folder: String
    /// Sorted by URL.
    let entries: [Entry]
    let groups: [GroupDefinition]
    /// The readers of everything that a release of this site has, by URL.
    let released: [String: Audience]

    init(_ model: SiteModel, _ listings: SiteListings, _ folders: SiteFolders) {
        let site = model.site
        let sources = Sources(site, folders)
        folder = folders.source
        var entries = site.pagesAndDrafts.map { page in
            Entry(
                url: page.url,
                path: page.file.displayPath,
                readers: model.access.audience(of: page.url),
                reason: sources.reason(of: page.url),
                isPublished: page.unpublishedReason == nil
            )
        }
        entries += site.assets.map { url, file in
            Entry(
                url: url,
                path: file.displayPath,
                readers: model.access.audience(of: url),
                reason: sources.reason(of: url)
            )
        }
        self.entries = entries.sorted { $0.url < $1.url }
        groups = site.configuration.groups
        let urls = site.pages.map(\.url) + site.assets.map(\.url) + listings.generated.map(\.url)
        let access = model.access
        released = Dictionary(
            urls.filter { !AudienceFiles.isInternal($0) }.map { ($0, access.audience(of: $0)) }
        ) { first, _ in first }
    }

    /// Where authors wrote who may read what.
    private struct Sources {
        private var pages: [SitePath: String] = [:]
        private let root: String

        init(_ site: Site, _ folders: SiteFolders) {
            for page in site.pagesAndDrafts {
                guard let audience = page.frontMatter.access,
                    let location = page.frontMatter.accessLocation, let path = SitePath(page.url)
                else { continue }
                pages[path] =
                    "\(location.path):\(location.line):\(location.column): access: \(audience)"
            }
            root = "'access' of sitegen.toml, or its default: \(site.configuration.access)"
        }

        func reason(of url: String) -> String {
            var path = url
            while true {
                if let reason = SitePath(path).flatMap({ pages[$0] }) { return reason }
                if path == "/" { return root }
                path = SitePathName.parent(of: path)
            }
        }
    }

    /// One line for each page and file: its readers, its URL and its file.
    public var list: String { Self.list(entries) }

    /// The same for what one reader gets: of the published pages and files, and of those that the
    /// build makes.
    ///
    /// - Parameter names: groups, `signed-in` or `public`.
    public func list(for names: [String]) throws(CommandError) -> String {
        let reader = try Viewer(names.joined(separator: ","), groups: groups.map(\.name))
        let known = Set(entries.map(\.url))
        let made = released.filter { url, _ in !known.contains(url) && !isCopy(url) }.map {
            Entry(url: $0, path: "(made by the build)", readers: $1, reason: "")
        }
        return Self.list(
            (entries.filter(\.isPublished) + made).sorted { $0.url < $1.url }
                .filter { reader.verdict(on: $0.readers) == .allowed }
        )
    }

    private static func list(_ entries: [Entry]) -> String {
        let width = entries.map { "\($0.readers)".utf8.count }.max() ?? 0
        return entries.map { entry in
            let readers = "\(entry.readers)"
            let space = String(repeating: " ", count: width - readers.utf8.count)
            let note = entry.isPublished ? "" : " (not published)"
            return "\(readers)\(space)  \(entry.url)  \(entry.path)\(note)\n"
        }.joined()
    }

    /// Whether a URL is a page's Markdown; the page's line says who may read both.
    private func isCopy(_ url: String) -> Bool {
        url.hasSuffix("/index.md")
            && released[String(url.dropLast("index.md".count))] == released[url]
    }

    /// The readers of a page or file, where they are written, and who is in their groups.
    ///
    /// - Parameter name: a URL, or the path of a file, as diagnostics or the source folder have it.
    /// - Throws: if there is no such page or file.
    public func explanation(of name: String) throws(CommandError) -> String {
        let url = Self.url(name)
        let path = name.hasPrefix("./") ? String(name.dropFirst(2)) : name
        // The end of a path is only asked for where nothing is named exactly.
        let exact = entries.first { $0.url == url || $0.url == "\(url)/" || $0.path == path }
        let entry =
            exact
            ?? entries.first {
                $0.path.hasSuffix(url) && $0.path.dropLast(url.utf8.count) == folder
            }
            ?? entries.first { Self.isIndex($0.path, of: path) }
        guard !name.isEmpty, let entry else {
            if !name.isEmpty, let readers = released[url] ?? released["\(url)/"] {
                return "\(url) is for \(Self.words(readers))\n  it is made by the build\n"
            }
            let hint = NearestName.hint(url, in: entries.map(\.url))
            throw CommandError(
                "there is no page or file '\(name)'\(hint); 'sitegen access' lists them all"
            )
        }
        let note = entry.isPublished ? "" : ", when it is published"
        var text = "\(entry.url) is for \(Self.words(entry.readers))\(note)\n  \(entry.reason)\n"
        if case .groups(let names) = entry.readers {
            for group in groups where names.contains(group.name) {
                text += "  \(Self.line(group))\n"
            }
        }
        return text
    }

    /// The path of a URL as a browser shows or copies it, or of a file in the source folder.
    private static func url(_ name: String) -> String {
        var rest = Substring(name)
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            rest = rest[colon...].dropFirst(3).drop { $0 != "/" }
        }
        rest = rest.prefix { $0 != "#" && $0 != "?" }
        let path = rest.hasPrefix("/") ? String(rest) : "/\(rest)"
        return SitePathName.decode(Substring(path)) ?? path
    }

    /// Whether a file is the index page of a folder.
    private static func isIndex(_ path: String, of folder: String) -> Bool {
        let name = folder.hasSuffix("/") ? folder : "\(folder)/"
        return path.hasPrefix(name) && SitePathName.isIndex(String(path.dropFirst(name.utf8.count)))
            && !path.dropFirst(name.utf8.count).contains("/")
    }

    private static func words(_ readers: Audience) -> String {
        switch readers {
        case .public: "everybody"
        case .signedIn: "all who sign in"
        case .groups(let names): names.sorted().joined(separator: ", ")
        }
    }

    private static func line(_ group: GroupDefinition) -> String {
        let lists = [("role", group.roles), ("group", group.groups), ("user", group.users)]
        let parts = lists.flatMap { kind, values in values.map { "\(kind) \($0)" } }
        var line = "\(group.name) is \(parts.joined(separator: ", "))"
        if let context = group.context {
            line += "; confirms '\(context.name)' for \(context.seconds) s"
        }
        return group.isAudited ? "\(line); is audited" : line
    }

    /// What changes for readers when this site takes the place of a release.
    ///
    /// - Parameter number: of the release; `nil` for the current one.
    public func comparison(
        with number: Int?,
        in releases: Releases
    ) throws(CommandError) -> String {
        let (policy, all) = try releases.access(of: number)
        let urls = all.filter { !AudienceFiles.isInternal($0) }
        var lines: [String] = []
        for url in urls.union(released.keys).sorted() where !isCopy(url) {
            let before = urls.contains(url) ? SitePath(url).flatMap(policy.audience(of:)) : nil
            switch (before, released[url]) {
            case (nil, let readers?): lines.append("new    \(url)  \(readers)")
            case (let readers?, nil): lines.append("gone   \(url)  \(readers)")
            case (let before?, let after?) where before != after:
                let change =
                    before.isSubset(of: after)
                    ? "wider" : after.isSubset(of: before) ? "closer" : "other"
                let space = String(repeating: " ", count: 7 - change.utf8.count)
                lines.append("\(change)\(space)\(url)  \(before) -> \(after)")
            default: continue
            }
        }
        let former = Set(policy.groups.map(Self.line))
        for line in groups.map(Self.line) where !former.contains(line) {
            lines.append("group  \(line)")
        }
        let current = Set(groups.map(Self.line))
        for line in policy.groups.map(Self.line) where !current.contains(line) {
            lines.append("group  no longer: \(line)")
        }
        return lines.isEmpty ? "nothing changes for readers\n" : lines.map { "\($0)\n" }.joined()
    }
}

extension SiteBuild {
    /// Reads a site and says who may read what; publishes nothing.
    ///
    /// - Returns: without a report, the errors because of which it is in doubt who may read the site.
    ///   Others, such as a dead link, are left to `sitegen check`.
    public static func access(
        configurationPath: String?,
        _ options: BuildOptions
    ) async -> (report: AccessReport?, outcome: BuildOutcome) {
        let (site, outcome) = await load(configurationPath: configurationPath, options) { site in
            site.doubts ?? BuildOutcome(diagnostics: [])
        }
        return (site.map { AccessReport($0.model, $0.listings, $0.folders) }, outcome)
    }
}
