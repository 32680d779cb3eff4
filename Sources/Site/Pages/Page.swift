import Diagnostics
import Markdown
import SourceFolder

/// A Markdown file that becomes a page: what other pages, lists and checks need of it.
public struct Page: Sendable {
    /// What the file says.
    ///
    /// An object, because pages are copied often.
    private let content: PageContent
    /// The date of the last change, if known.
    package var updated: PageDate?
    /// Who made that change; `nil` if nobody is to know.
    package var author: String?
    /// Whether the day by which somebody had to look at the page again has passed.
    package let isOverdue: Bool
    /// The title of a home page without one.
    private let homeTitle: String
    /// The label of the page in the site's outline.
    var outlineLabel: String?

    /// Reads, splits and parses a file.
    ///
    /// - Parameter includable: the files that it may include; `nil` if its text is not wanted.
    package init(
        reading file: SourceTree.File,
        _ configuration: SiteConfiguration,
        _ options: BuildOptions,
        _ includable: IncludableFiles? = nil,
        _ taker: PageBody.Taker? = nil
    ) {
        let content = PageContent(reading: file, configuration, options, includable, taker)
        self.init(content, configuration, options)
    }

    private init(
        _ content: PageContent,
        _ configuration: SiteConfiguration,
        _ options: BuildOptions
    ) {
        self.content = content
        updated = content.frontMatter.updated
        unpublishedReason = content.frontMatter.unpublishedReason(options)
        isOverdue =
            content.frontMatter.review.map { $0.day.seconds + 86_400 <= options.now } ?? false
        homeTitle = configuration.texts["Home"]
    }

    /// The page of a file that is as it was when it was read, at another time.
    package func again(_ configuration: SiteConfiguration, _ options: BuildOptions) -> Page {
        Page(content, configuration, options)
    }

    package var file: SourceTree.File { content.file }
    /// The path of the URL, not encoded; begins and ends with `/`.
    package var url: String { content.url }
    package var frontMatter: FrontMatter { content.frontMatter }
    /// The document without its HTML, which ``body`` has.
    package var document: RenderedDocument { content.document }
    /// The HTML and the words; `nil` for a page that cannot be rendered, and in a check.
    package var body: PageBody? { content.body }
    var inclusions: [Inclusion] { content.inclusions }
    package var includedFiles: [SourceTree.File] { inclusions.map(\.file) }
    /// `nil` for a page that is published.
    package var unpublishedReason: UnpublishedReason?
    package var diagnostics: [Diagnostic] { content.diagnostics }

    /// What the page is about: its description, or its first sentences.
    package var excerpt: String? {
        frontMatter.description ?? (document.opening.isEmpty ? nil : document.opening)
    }

    /// The path of its file in the release.
    package var outputPath: String { "site\(url)index.html" }

    /// The URL of the page as Markdown, which the page's rule covers.
    package var markdownURL: String { "\(url)index.md" }

    /// The title: from front matter, a heading of level 1, `SUMMARY.md`, a heading at the
    /// beginning, or the file's name, in this order.
    package var title: String {
        if let title = frontMatter.title { return title }
        if let heading = document.headings.first(where: { $0.level == 1 }) {
            return Self.shortened(heading.text)
        }
        if let outlineLabel { return outlineLabel }
        if document.opensWithHeading, let heading = document.headings.first, !heading.text.isEmpty {
            return Self.shortened(heading.text)
        }
        return Self.humanized(url.split(separator: "/").last.map(String.init) ?? homeTitle)
    }

    /// The level of the heading that is the page's title, if the page has no heading of level 1.
    package var titleLevel: Int? {
        guard document.opensWithHeading, let first = document.headings.first, first.text == title,
            !document.headings.contains(where: { $0.level == 1 })
        else { return nil }
        return first.level
    }

    /// Whether its text shows the title: at its beginning stands a heading of level 1, or the title
    /// is one.
    package var showsTitle: Bool {
        let headings = document.headings
        return titleLevel != nil || document.opensWithHeading && headings.first?.level == 1
            || headings.contains { $0.level == 1 && (frontMatter.title == nil || $0.text == title) }
    }

    /// Shortened, because a title is copied into every list, and a heading may be a megabyte long.
    private static func shortened(_ text: String) -> String {
        text.utf8.count <= 1000 ? text : text.prefix(300) + "…"
    }

    /// Converts a range of the Markdown to a location in the file.
    package func location(_ range: SourceRange) -> SourceLocation { content.location(range) }

    /// The files that the links at a place are relative to; the second one if the first one has none.
    func linkBases(at range: SourceRange) -> (first: String, second: String?) {
        content.linkBases(at: range)
    }

    /// Whether the files that the page includes are as they were when it was read.
    func includesSame(_ files: IncludableFiles) -> Bool {
        inclusions.allSatisfy { inclusion in
            inclusion.file.state.map { $0 == files.file(inclusion.file.path)?.state } ?? false
        }
    }

    /// Whether the page is what it was if its file and the files that it includes are.
    ///
    /// - Parameter time: when they were looked at.
    func isClosed(at time: Int) -> Bool {
        !content.hasOpenForms
            && ([file] + includedFiles).allSatisfy { file in
                file.state.map { $0.changed < time - SourceState.granularity } ?? false
            }
    }

    /// A path without the numbers that order the files of a folder: `guide/hours` for
    /// `02-guide/1_hours`; a year or a version stays.
    static func unnumbered(_ path: String) -> String {
        if !path.utf8.contains(where: { (48...57).contains($0) }) { return path }
        return path.split(separator: "/").map { name in
            let digits = name.prefix { $0.isASCII && $0.isNumber }
            let rest = name.dropFirst(digits.count)
            let title = rest.drop { "-_. ".contains($0) }
            guard (1...3).contains(digits.count), title.count < rest.count,
                let first = title.first, !first.isNumber
            else { return name }
            return title
        }.joined(separator: "/")
    }

    /// A name as people write it: `Travel costs` for `travel-costs`.
    package static func humanized(_ name: String) -> String {
        let text = name.split { $0 == "-" || $0 == "_" }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}

extension FrontMatter {
    package func unpublishedReason(_ options: BuildOptions) -> UnpublishedReason? {
        if isDraft, !options.included.contains(.draft) { return .draft }
        if let expiry, expiry.seconds <= options.now, !options.included.contains(.expired) {
            return .expired
        }
        let days = [date, publication].compactMap(\.self)
        if days.contains(where: { $0.seconds > options.now }), !options.included.contains(.future) {
            return .future
        }
        return nil
    }
}
