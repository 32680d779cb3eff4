import Access
import Markdown

/// Renders pages, lists, error pages and the frame of siteauth's pages from templates.
final class PageRenderer: Sendable {
    let site: Site
    let access: PageAccess
    let navigation: Navigation
    let lists: SectionLists
    let tags: TagIndex
    let feed: AtomFeed
    let templates: TemplateSet
    /// The search folders of audiences, once the indexes are made.
    let searchFolders: [Audience: String]
    private let compiled: CompiledTemplates

    init(_ model: SiteModel, _ listings: SiteListings, _ look: SiteLook) {
        site = model.site
        access = model.access
        navigation = model.navigation
        lists = listings.lists
        tags = listings.tags
        feed = listings.feed
        templates = look.templates
        searchFolders = [:]
        let names = TemplateContext([
            "title": site.configuration.title,
            "description": site.configuration.description,
            "language": site.configuration.language,
            "direction": TextDirection(ofLanguage: site.configuration.language).rawValue,
        ])
        let values = TemplateContext([
            "site": names,
            "theme": TemplateContext(look.theme.urls),
            "integrity": TemplateContext(look.theme.integrity),
            "hasSearch": site.configuration.search,
        ])
        compiled = CompiledTemplates(templates, site: values)
    }

    private init(_ other: PageRenderer, _ searchFolders: [Audience: String]) {
        (site, access, navigation) = (other.site, other.access, other.navigation)
        (lists, tags, feed) = (other.lists, other.tags, other.feed)
        (templates, compiled) = (other.templates, other.compiled)
        self.searchFolders = searchFolders
    }

    /// A renderer for files that contain the search folders.
    func with(searchFolders: [Audience: String]) -> PageRenderer {
        PageRenderer(self, searchFolders)
    }

    /// Renders a page.
    ///
    /// - Parameters:
    ///   - document: of the page, with its HTML.
    ///   - urls: the resolved URLs of the document's references.
    ///   - code: the page's highlighted code blocks.
    /// - Returns: also the range of the page's text, if the template has it once.
    func page(
        _ page: Page,
        _ document: RenderedDocument,
        urls: [String],
        code: [HighlightedCode?]
    ) -> (bytes: [UInt8], text: Range<Int>?) {
        let content = FilledDocument(
            document: document,
            urls: urls,
            code: code,
            titleLevel: page.titleLevel
        )
        var values = values(of: page, titleLevel: content.titleLevel)
        values.setContent(isEmpty: document.html.isEmpty)
        if page.frontMatter.showsContents {
            values.show(.contents) { appendContents(content, to: &$0) }
        }
        let (bytes, text) = compiled.page(templates.name(ofPage: page), values, content: content)
        return (bytes, text)
    }

    /// The values for the template of a page, except those of its text.
    private func values(of page: Page, titleLevel: Int?) -> TemplateValues {
        let matter = page.frontMatter
        let audience = access.audience(of: page.url)
        let place = navigation.place(of: page.url, audience)
        let description = matter.description ?? site.configuration.description
        var values = frame(page.url, title: page.title, description, audience, place)
        values.set(
            .hasHeading,
            titleLevel != nil || page.document.headings.contains { $0.level == 1 }
        )
        let texts = site.configuration.texts
        values.show(.date, matter.date?.text ?? "")
        values.show(.dateText, matter.date.map { texts.date($0.day) } ?? "")
        // Readers see the day of a commit, and `datetime` says the same (HTML, "time").
        values.show(.updated, matter.updated?.text ?? page.updated?.day ?? "")
        values.show(.updatedText, page.updated.map { texts.date($0.day) } ?? "")
        values.show(.author, page.author ?? "")
        Self.add(place.previous, .previous, .previousURL, .previousLabel, to: &values)
        Self.add(place.next, .next, .nextURL, .nextLabel, to: &values)
        values.show(.tags) { tags.append(matter.tags, for: audience, to: &$0) }
        values.show(.related) { tags.append(relatedTo: page, for: audience, to: &$0) }
        values.show(.editURL, editURL(page))
        values.params = matter.params
        if let list = lists.onPages[page.url] { add(list, page: 1, to: &values) }
        return values
    }

    /// One page of a generated list.
    func list(_ list: PagedList, page number: Int) -> [UInt8] {
        let url = list.url(ofPage: number)
        var values = frame(url, title: list.title, list.readers, above: list.above)
        add(list, page: number, to: &values)
        return compiled.page("list", values).bytes
    }

    /// A list on a single page.
    func list(
        at url: String,
        title: String,
        _ readers: Audience,
        _ html: [UInt8],
        template: String = "list"
    ) -> [UInt8] {
        var values = frame(url, title: title, readers)
        values.show(.listing) { $0 += html }
        return compiled.page(template, values).bytes
    }

    /// A redirect contains the URL of its target, but not its title.
    func moved(to url: String) -> [UInt8] {
        var values = TemplateValues()
        values.set(.url) { $0.append(encoded: url) }
        values.set(.canonical) {
            $0 += (site.configuration.baseURL ?? "").utf8
            $0.append(encoded: url)
        }
        return compiled.page("moved", values).bytes
    }

    /// A page without content, which is for everybody.
    func plain(_ template: String) -> [UInt8] { compiled.page(template, TemplateValues()).bytes }

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
        var values = TemplateValues()
        values.set(.title, title)
        values.set(.isHome, url == "/")
        values.set(.description, description)
        values.set(place.list)
        values.show(.breadcrumbs) { html in
            let pages = place.above.map { (url: $0.url, label: $0.label) }
            for (index, page) in (pages + (above.map { [$0] } ?? [])).enumerated() {
                html += (index == 0 ? "<li><a href=\"" : "\n<li><a href=\"").utf8
                html.append(encoded: page.url)
                html += "\">".utf8
                html.append(escaped: page.label)
                html += "</a></li>".utf8
            }
        }
        values.show(.sections) { html in
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
        values.show(.announcement) { if audience != .public { $0 += templates.announcement } }
        values.set(.access, "\(audience)")
        values.set(.isPublic, audience == .public)
        if case .groups(let names) = audience {
            values.set(.readers, site.configuration.titles(of: names))
        }
        values.show(.canonical) { text in
            guard let base = site.configuration.baseURL else { return }
            text += base.utf8
            text.append(encoded: url)
        }
        let seesFeed = !feed.files.isEmpty && audience.isSubset(of: feed.readers)
        values.show(.feed, seesFeed ? AtomFeed.url : "")
        return values
    }

    private func add(_ list: PagedList, page number: Int, to values: inout TemplateValues) {
        values.show(.listing) { list.append(page: number, site.configuration.texts, to: &$0) }
        guard list.pageCount > 1 else { return }
        values.set(.pageNumber, "\(number)")
        values.set(.pageCount, "\(list.pageCount)")
        values.show(.newerURL) {
            if number > 1 { $0.append(encoded: list.url(ofPage: number - 1)) }
        }
        values.show(.olderURL) {
            if number < list.pageCount { $0.append(encoded: list.url(ofPage: number + 1)) }
        }
    }

    /// Appends the headings from level 2 on as nested lists; nothing for a single heading.
    private func appendContents(_ content: FilledDocument, to html: inout [UInt8]) {
        let depth = site.configuration.markdown.contentsDepth
        let headings = content.document.headings.dropFirst(content.titleLevel == nil ? 0 : 1)
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

    private static func add(
        _ neighbour: ListedPage?,
        _ object: TemplateSlot,
        _ url: TemplateSlot,
        _ label: TemplateSlot,
        to values: inout TemplateValues
    ) {
        guard let neighbour else { return values.set(object, false) }
        values.set(url) { $0.append(encoded: neighbour.url) }
        values.set(label, neighbour.label)
    }
}
