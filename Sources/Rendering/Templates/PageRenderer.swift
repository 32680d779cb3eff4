import Access
import Markdown
import Site
import SourceFolder

/// Renders pages, lists, error pages and the frame of siteauth's pages from templates.
package final class PageRenderer: Sendable {
    private let site: Site
    private let access: PageAccess
    private let navigation: Navigation
    private let lists: SectionLists
    private let tags: TagIndex
    private let feed: AtomFeed
    private let templates: TemplateSet
    /// The values that all pages have.
    private let siteValues: TemplateValues

    package init(_ model: SiteModel, _ listings: SiteListings, _ look: SiteLook) {
        site = model.site
        access = model.access
        navigation = model.navigation
        lists = listings.lists
        tags = listings.tags
        feed = listings.feed
        let contact = site.configuration.contact ?? ""
        var values = TemplateValues()
        values[.site] = .object([
            "title": .text(site.configuration.title),
            "description": .text(site.configuration.description),
            "language": .text(site.configuration.language),
            "direction": .text(TextDirection(ofLanguage: site.configuration.language).rawValue),
            "contact": .textOrFalse(contact),
            "contactURL": .text(contact.hasPrefix("https:") ? contact : "mailto:" + contact),
        ])
        values[.theme] = .object(look.theme.urls.mapValues { .text($0) })
        values[.integrity] = .object(look.theme.integrity.mapValues { .text($0) })
        values[.hasSearch] = .truth(site.configuration.search)
        siteValues = values
        var templates = look.templates
        templates.link(values)
        self.templates = templates
    }

    /// Renders a page.
    ///
    /// - Parameters:
    ///   - document: of the page, with its HTML.
    ///   - urls: the resolved URLs of the document's references.
    ///   - code: the page's highlighted code blocks.
    /// - Returns: also the range of the page's text, if the template has it once.
    package func page(
        _ page: Page,
        _ document: RenderedDocument,
        urls: [String],
        code: [HighlightedCode?]
    ) -> (bytes: [UInt8], text: Range<Int>?) {
        let titleLevel = page.titleLevel
        var values = values(of: page, titleLevel)
        values[.content] = .content { html in
            if let titleLevel {
                var text = document.filled(with: urls, code: code.map { $0?.html })
                OpeningHeading.promote(&text, from: titleLevel)
                html += text
            } else {
                document.append(to: &html, urls: urls, code: code.map { $0?.html })
            }
        }
        if page.frontMatter.showsContents {
            // The title of the page is not one of its contents.
            let headings = document.headings.dropFirst(titleLevel == nil ? 0 : 1)
            let language = site.configuration.language(of: page.frontMatter)
            values[.contents] = .textOrFalse { html in
                append(contents: headings, to: &html)
                guard let language, html.starts(with: "<ul".utf8) else { return }
                let direction = TextDirection(ofLanguage: language).rawValue
                html.insert(contentsOf: " lang=\"\(language)\" dir=\"\(direction)\"".utf8, at: 3)
            }
        }
        return templates.page(
            templates.name(ofPage: page),
            values,
            capacity: document.html.count + 32_768
        )
    }

    /// The links of a page to others, for the search.
    func links(in document: RenderedDocument, urls: [String]) -> [PageLink] {
        site.configuration.search ? PageLink.all(in: document, urls: urls, site) : []
    }

    /// The page as Markdown; `nil` for a site without such files.
    package func markdown(
        _ page: Page,
        _ document: RenderedDocument,
        urls: [String]
    ) -> [UInt8]? {
        guard site.configuration.copiesMarkdown else { return nil }
        let origin = site.configuration.baseURL ?? ""
        let copy = MarkdownCopy(origin: origin, url: SitePathName.encode(page.url))
        let title = page.showsTitle ? nil : page.title
        var listing: [UInt8] = []
        lists.onPages[page.url]?.append(page: 1, site.configuration.texts, to: &listing)
        return copy.bytes(
            of: document,
            urls: urls,
            title: title,
            titleLevel: page.titleLevel,
            listing: listing
        )
    }

    /// The values for the template of a page, except those of its text.
    private func values(of page: Page, _ titleLevel: Int?) -> TemplateValues {
        let matter = page.frontMatter
        let audience = access.audience(of: page.url)
        let place = navigation.place(of: page.url, audience)
        let description = matter.description ?? site.configuration.description
        var values = frame(page.url, title: page.title, description, audience, place)
        values[.hasHeading] = .truth(page.showsTitle)
        let texts = site.configuration.texts
        values[.date] = .textOrFalse(matter.date?.text ?? "")
        values[.dateText] = .textOrFalse(matter.date.map { texts.date($0.day) } ?? "")
        // Readers see the day of a commit, and `datetime` says the same (HTML, "time").
        values[.updated] = .textOrFalse(matter.updated?.text ?? page.updated?.day ?? "")
        values[.updatedText] = .textOrFalse(page.updated.map { texts.date($0.day) } ?? "")
        values[.author] = .textOrFalse(page.author ?? "")
        values[.previous] = Self.neighbour(place.previous)
        values[.next] = Self.neighbour(place.next)
        values[.tags] = .textOrFalse { tags.append(matter.tags, for: audience, to: &$0) }
        values[.related] = .textOrFalse { tags.append(relatedTo: page, for: audience, to: &$0) }
        values[.editURL] = .textOrFalse(editURL(page))
        // Beside the page, wherever the site is.
        values[.markdown] = .textOrFalse(site.configuration.copiesMarkdown ? "index.md" : "")
        let language = site.configuration.language(of: matter)
        values[.language] = .textOrFalse(language ?? "")
        let direction = language.map { TextDirection(ofLanguage: $0).rawValue }
        values[.direction] = .textOrFalse(direction ?? "")
        values[.owner] = .textOrFalse(matter.owners.joined(separator: ", "))
        values[.review] = .textOrFalse(matter.review?.day.day ?? "")
        values[.reviewText] = .textOrFalse(matter.review.map { texts.date($0.day.day) } ?? "")
        values[.isOverdue] = .truth(page.isOverdue)
        values[.reportURL] = .textOrFalse(PageReport.url(page, site.configuration) ?? "")
        if let feed = lists.feeds[page.url] {
            values[.feed] = .text(SitePathName.encode(feed.url))
        }
        values[.params] = MustacheValue(matter.params)
        if let list = lists.onPages[page.url] { add(list, page: 1, to: &values) }
        return values
    }

    /// - Parameter searchFolders: of each audience that has a search index.
    func generated(_ file: GeneratedFile, _ searchFolders: [Audience: [String]]) -> [UInt8] {
        switch file.content {
        case .bytes(let bytes): return bytes
        case .manifest(let bytes): return bytes(searchFolders)
        case .markdown: return []
        case .list(let list, let number):
            var values = frame(file.url, title: list.title, list.readers, above: list.above)
            add(list, page: number, to: &values)
            return templates.page("list", values).bytes
        case .page(let title, let html, let template):
            var values = frame(file.url, title: title, file.readers)
            values[.listing] = html.isEmpty ? .truth(false) : .bytes(html)
            return templates.page(template, values).bytes
        case .redirect(let url):
            // It contains the URL of its target, but not its title.
            var values = siteValues
            let path = SitePathName.encode(url)
            values[.url] = .text(path)
            values[.canonical] = .text((site.configuration.baseURL ?? "") + path)
            return templates.page("moved", values).bytes
        }
    }

    /// A page without content, which is for everybody.
    func plain(_ template: String) -> [UInt8] { templates.page(template, siteValues).bytes }

    private func frame(
        _ url: String,
        title: String,
        _ audience: Audience,
        above: (url: String, label: String)? = nil
    ) -> TemplateValues {
        let place = navigation.place(of: url, audience)
        return frame(url, title: title, site.configuration.description, audience, place, above)
    }

    /// The values that pages and lists have in common.
    private func frame(
        _ url: String,
        title: String,
        _ description: String,
        _ audience: Audience,
        _ place: NavigationPlace,
        _ above: (url: String, label: String)? = nil
    ) -> TemplateValues {
        var values = siteValues
        values[.title] = .text(title)
        values[.isHome] = .truth(url == "/")
        values[.description] = .text(description)
        values[.navigation] = .appended { place.list.append(to: &$0) }
        values[.breadcrumbs] = .textOrFalse { html in
            let pages = place.above.map { (url: $0.url, label: $0.label) }
            for (index, page) in (pages + (above.map { [$0] } ?? [])).enumerated() {
                html += (index == 0 ? "<li><a href=\"" : "\n<li><a href=\"").utf8
                html.append(encoded: page.url)
                html += "\">".utf8
                html.append(escaped: page.label)
                html += "</a></li>".utf8
            }
        }
        values[.sections] = .textOrFalse { html in
            guard site.configuration.showsSections else { return }
            for section in place.sections {
                html += (html.isEmpty ? "<li><a href=\"" : "\n<li><a href=\"").utf8
                html.append(encoded: section.page.url)
                html += (section.isOpen ? "\" aria-current=\"true\">" : "\">").utf8
                html.append(escaped: section.page.label)
                html += "</a></li>".utf8
            }
        }
        // Strangers read public pages, and the announcement is for colleagues.
        let isAnnounced = audience != .public && !templates.announcement.isEmpty
        values[.announcement] = isAnnounced ? .bytes(templates.announcement) : .truth(false)
        values[.access] = .text("\(audience)")
        values[.isPublic] = .truth(audience == .public)
        if case .groups(let names) = audience {
            values[.readers] = .text(site.configuration.titles(of: names))
        }
        values[.canonical] = .textOrFalse { text in
            guard let base = site.configuration.baseURL else { return }
            text += base.utf8
            text.append(encoded: url)
        }
        let seesFeed = !feed.files.isEmpty && audience.isSubset(of: feed.readers)
        values[.feed] = .textOrFalse(seesFeed ? feed.url : "")
        return values
    }

    private func add(_ list: PagedList, page number: Int, to values: inout TemplateValues) {
        values[.listing] = .textOrFalse {
            list.append(page: number, site.configuration.texts, to: &$0)
        }
        let isHome = list.url == "/" && number == 1
        values[.recent] = isHome ? recentPages(for: list.readers) : .truth(false)
        guard list.pageCount > 1 else { return }
        let newer = number > 1 ? SitePathName.encode(list.url(ofPage: number - 1)) : ""
        let older =
            number < list.pageCount ? SitePathName.encode(list.url(ofPage: number + 1)) : ""
        values[.pages] = .object([
            "number": .text("\(number)"), "count": .text("\(list.pageCount)"),
            "newer": .textOrFalse(newer), "older": .textOrFalse(older),
        ])
    }

    /// The pages that changed last, of those that all `readers` may open.
    private func recentPages(for readers: Audience) -> MustacheValue {
        let pages = PagedList.recent(navigation.view(for: readers).order.filter { $0.url != "/" })
        return .textOrFalse { html in
            PagedList.append(pages.prefix(6), site.configuration.texts, hasChanges: true, to: &html)
        }
    }

    /// Appends the headings from level 2 on as nested lists; nothing for a single heading.
    private func append(
        contents headings: ArraySlice<RenderedDocument.Heading>,
        to html: inout [UInt8]
    ) {
        let depth = site.configuration.markdown.contentsDepth
        guard headings.lazy.filter({ (2...depth).contains($0.level) }).prefix(2).count > 1 else {
            return
        }
        ContentsList.append(headings, depth: depth, to: &html)
    }

    private func editURL(_ page: Page) -> String {
        guard let pattern = site.configuration.editURL else { return "" }
        let path = SitePathName.encode(
            site.folder.isEmpty ? page.file.path : "\(site.folder)/\(page.file.path)"
        )
        return pattern.replacing("{path}", with: path)
    }

    private static func neighbour(_ page: ListedPage?) -> MustacheValue {
        guard let page else { return .truth(false) }
        let url = SitePathName.encode(page.url)
        return .object(["url": .text(url), "label": .text(page.label)])
    }
}
