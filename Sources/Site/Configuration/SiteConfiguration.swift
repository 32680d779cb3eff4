import Access
import Diagnostics
import HTML
import Markdown
import Rules
import Settings
import SourceFolder

/// The configuration of a site, from `sitegen.toml`.
public struct SiteConfiguration: Sendable {
    public var title = "Site"
    public var description = ""
    /// BCP 47, for the `lang` attribute.
    public var language = "en"
    /// The language of siteauth's pages.
    public var signInLanguage = SignInLanguage.site
    /// What the interface says in this language.
    package var texts = InterfaceTexts.english
    /// Folders relative to the folder of `sitegen.toml`.
    ///
    /// Without a `source`, the usual folders are tried.
    public var source: String?
    public var templates: String?
    public var output = "public"
    /// Which files of the source folder belong to the site.
    package var filter = PathFilter()
    /// The settings of another tool, relative to the folder of `sitegen.toml`.
    var from: [String] = []
    /// `nil` if the configuration does not say it.
    var otherPages: OtherPages?
    /// Keys of front matter that say nothing, in lower case.
    var ignoredKeys: Set<String> = []
    /// The file with known findings, relative to the folder of `sitegen.toml`.
    package var baseline: String?
    /// What stands for `{{ name }}` on pages, by the name.
    var variables: [String: String] = [:]
    /// Prefixes of links to other applications on the same host, which are not checked.
    var ignoredLinks: [String] = []
    /// Addresses below which another tool published the site; they begin and end with `/`.
    var linkRoots: [String] = []
    /// What relative links without a file's ending are relative to; `nil` to find out.
    var relativeLinks: RelativeLinks?
    /// The access of pages that neither have nor inherit another one.
    public var access = Audience.signedIn
    /// By default, only harmless HTML is allowed: scripts of one author would run in the browsers
    /// of all readers.
    public var markdown: MarkdownOptions = {
        var options = MarkdownOptions()
        options.wikiLinks = true
        options.formulas = true
        options.diagrams = true
        options.borrowedBlocks = true
        options.themed = true
        return options
    }()
    /// Whether pages say who changed them last.
    public var showsAuthors = false
    /// Whether the sections of the site stand in the header.
    public var showsSections = false
    /// Whether readers can search.
    public var search = true
    /// Whether code is highlighted.
    public var highlights = true
    /// The number of releases that stay on disk, including the current one.
    public var releasesKept = 5
    /// Whether compressed copies of files are written, too.
    public var precompresses = false
    /// Whether each page is also published as Markdown, with lists of these files.
    public var copiesMarkdown = false
    /// Whether a release is synced to disk before it is visible.
    public var syncs = true
    public var groups: [GroupDefinition] = []
    /// What readers see instead of the name of a group, by its name.
    public var groupTitles: [String: String] = [:]
    public var provider = Provider.entra
    /// The origin of the site, such as `https://docs.example.com`, without a slash at its end.
    public var baseURL: String?
    /// A URL with `{path}` in place of the path of a page's file.
    public var editURL: String?
    /// Whom readers ask who may not open a page or cannot sign in: an e-mail address or a URL.
    package var contact: String?
    /// The folders that get a list of their pages.
    public var listings = Listings.missing
    /// The number of entries on one page of a list.
    public var listingSize = 50

    /// The kind of provider, which decides what ids of groups and people look like.
    public enum Provider: String, Sendable, CaseIterable {
        /// Ids are GUIDs, so that a typing mistake is reported.
        case entra
        /// Any string can be an id.
        case other
    }

    public enum Listings: String, Sendable, CaseIterable {
        case none
        /// Folders without an index page.
        case missing
        case all
    }
    /// The levels of rules.
    public var checks = RuleSettings()
    /// The colours and images of the company.
    public var theme = ThemeSettings()

    public init() {}

    /// The names of groups as readers see them.
    package func titles(of names: some Sequence<String>) -> String {
        names.sorted().map { groupTitles[$0] ?? $0 }.joined(separator: ", ")
    }

    /// Reads the file.
    ///
    /// A wrong value is reported, and its default is used.
    public static func parse(
        _ bytes: [UInt8],
        path: String
    ) -> (configuration: SiteConfiguration, diagnostics: [Diagnostic]) {
        let file = SettingsFile(bytes, path: path)
        var configuration = SiteConfiguration()
        if file.diagnostics.isEmpty {
            configuration.read(file.root)
        }
        return (configuration, file.diagnostics)
    }

    private mutating func read(_ root: SettingsTable) {
        title = root.string("title") ?? title
        description = root.string("description") ?? description
        readLanguage(root)
        source = root.string("source") == "." ? "." : Self.folder("source", root) ?? source
        templates = Self.folder("templates", root) ?? templates
        output = Self.folder("output", root) ?? output
        readRawHTML(root)
        markdown.smartPunctuation = root.bool("smart_punctuation") ?? false
        markdown.wikiLinks = root.bool("wiki_links") ?? true
        markdown.formulas = root.bool("formulas") ?? true
        markdown.diagrams = root.bool("diagrams") ?? true
        readContentsDepth(root)
        showsAuthors = root.bool("show_authors") ?? showsAuthors
        showsSections = root.bool("section_tabs") ?? showsSections
        highlights = root.bool("highlight") ?? highlights
        precompresses = root.bool("precompress") ?? precompresses
        copiesMarkdown = root.bool("markdown_copies") ?? copiesMarkdown
        syncs = root.bool("fsync") ?? syncs
        search = root.bool("search") ?? search
        releasesKept = root.integer("releases_kept") ?? releasesKept
        if !(2...1000).contains(releasesKept) {
            root.report(
                "'releases_kept' is \(releasesKept); it must be from 2 to 1000",
                at: "releases_kept"
            )
        }
        readListings(root)
        baseURL = Self.baseURL(root)
        editURL = Self.editURL(root)
        contact = Self.contact(root)
        filter = PathFilter(
            excluding: Self.patterns("exclude", root),
            including: Self.patterns("include", root),
            parts: Self.patterns("parts", root)
        )
        baseline = Self.folder("baseline", root)
        readTools(root)
        if let links = root.table("links") { readLinks(links) }
        if let variables = root.table("variables") { readVariables(variables) }
        readProvider(root)
        if let groups = root.table("groups") { read(groups: groups) }
        if let checks = root.table("checks") { self.checks.read(checks) }
        if let theme = root.table("theme") { self.theme.read(theme) }
        // Read after the groups, because it may name them.
        readAccess(root)
        root.refuseUnknownKeys()
    }

    /// A path of a folder below `sitegen.toml`.
    ///
    /// Other paths are refused, because files in these folders may be deleted or served.
    private static func folder(_ key: String, _ root: SettingsTable) -> String? {
        guard let folder = root.string(key) else { return nil }
        let segments = folder.split(separator: "/", omittingEmptySubsequences: false)
        guard !folder.isEmpty, !segments.contains(""), !segments.contains("."),
            !segments.contains("..")
        else {
            root.report(
                "'\(key)' is '\(folder)'; it must be a path below the folder of this file",
                at: key
            )
            return nil
        }
        return folder
    }

    private static func patterns(_ key: String, _ root: SettingsTable) -> [String] {
        let patterns = root.stringOrStrings(key) ?? []
        for pattern in patterns {
            guard let mistake = PathPattern.mistake(pattern) else { continue }
            root.report("'\(key)' has '\(pattern)'; \(mistake)", at: key)
        }
        return patterns
    }

    private mutating func readRawHTML(_ root: SettingsTable) {
        guard let value = root.anything("raw_html") else { return }
        switch value.content {
        case .bool(true): markdown.rawHTML = .trusted
        case .bool(false): markdown.rawHTML = .omitted
        case .text("safe"): markdown.rawHTML = .safe
        default:
            root.report("'raw_html' must be true, false or \"safe\"", at: "raw_html")
        }
    }

    private mutating func readContentsDepth(_ root: SettingsTable) {
        guard let depth = root.integer("toc_depth") else { return }
        if (2...6).contains(depth) {
            markdown.contentsDepth = depth
        } else {
            root.report("'toc_depth' is \(depth); it must be from 2 to 6", at: "toc_depth")
        }
    }

    static func oneOf<Word: RawRepresentable<String> & CaseIterable>(
        _ type: Word.Type,
        _ key: String,
        _ root: SettingsTable
    ) -> Word? {
        guard let text = root.string(key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        root.report("'\(key)' is '\(text)'; it must be one of \(words)", at: key)
        return nil
    }

    private mutating func readListings(_ root: SettingsTable) {
        listings = Self.oneOf(Listings.self, "listings", root) ?? listings
        listingSize = root.integer("listing_size") ?? listingSize
        if !(1...1000).contains(listingSize) {
            root.report(
                "'listing_size' is \(listingSize); it must be from 1 to 1000",
                at: "listing_size"
            )
            listingSize = 50
        }
    }

    /// What is wrong with a text that is not an origin.
    static func ruleOfBaseURL(_ text: String) -> String {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let isBelowPath = parts.count == 4 && baseURL(parts[..<3].joined(separator: "/")) != nil
        let rule =
            isBelowPath
            ? "a site cannot be below a path; give it a host name of its own,"
            : "it must be an origin"
        return "\(rule) such as 'https://docs.example.com'"
    }

    /// The origin without a slash at its end, or `nil` if the text is not an origin.
    package static func baseURL(_ text: String) -> String? {
        let url = text.hasSuffix("/") ? String(text.dropLast()) : text
        let parts = url.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, ["https:", "http:"].contains(parts[0]), parts[1].isEmpty,
            !parts[2].isEmpty, HTMLText.escapeURL(url) == url, !url.contains("@")
        else { return nil }
        return url
    }

    private mutating func readAccess(_ root: SettingsTable) {
        guard root.has("access") else { return }
        guard let words = root.stringOrStrings("access") else { return }
        switch AccessKeywords.audience(words, groups: groups.map(\.name), list: .quoted) {
        case .success(let audience): access = audience
        case .failure(let mistakes):
            for mistake in mistakes.all {
                if let element = mistake.element {
                    root.report(mistake.message, at: "access", element: element)
                } else {
                    root.report(mistake.message, at: "access")
                }
            }
        }
    }

    private mutating func readProvider(_ root: SettingsTable) {
        guard let word = root.string("provider") else { return }
        if let known = Provider(rawValue: word) { return provider = known }
        let words = Provider.allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
        root.report("'provider' is '\(word)'; it must be \(words)", at: "provider")
    }
}
