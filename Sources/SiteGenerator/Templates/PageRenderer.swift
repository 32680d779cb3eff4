import Access
import Markdown
import OpenSSL

/// Renders pages, lists, error pages and the frame of siteauth's pages from templates.
struct PageRenderer: Sendable {
    let site: Site
    let access: PageAccess
    let navigation: Navigation
    let lists: SectionLists
    let tags: TagIndex
    let feed: AtomFeed
    let templates: TemplateSet
    /// The search folders of audiences, once the indexes are made.
    private(set) var searchFolders: [Audience: String] = [:]
    /// The values that all pages have.
    private let base: TemplateContext

    init(_ model: SiteModel, _ templates: TemplateSet, _ theme: Theme) {
        site = model.site
        access = model.access
        navigation = model.navigation
        lists = model.lists
        tags = model.tags
        feed = model.feed
        self.templates = templates
        let names = TemplateContext([
            "title": site.configuration.title,
            "description": site.configuration.description,
            "language": site.configuration.language,
            "direction": TextDirection(ofLanguage: site.configuration.language).rawValue,
        ])
        base = TemplateContext([
            "site": names,
            "theme": TemplateContext(theme.urls),
            "integrity": TemplateContext(theme.integrity),
            "hasSearch": site.configuration.search,
        ])
    }

    /// A renderer for files that contain the search folders.
    func with(searchFolders: [Audience: String]) -> PageRenderer {
        var renderer = self
        renderer.searchFolders = searchFolders
        return renderer
    }

    /// - Parameter urls: the resolved URLs of the page's references.
    func job(_ page: Page, urls: [String], _ identity: BuildIdentity) -> RenderJob {
        RenderJob(page, urls: urls, context(of: page), templates, site.configuration, identity)
    }

    /// - Parameters:
    ///   - document: with its HTML.
    ///   - code: the page's highlighted code blocks.
    ///   - key: of the file.
    func file(
        _ job: RenderJob,
        _ document: RenderedDocument,
        code: [HighlightedCode?],
        key: [UInt8]?
    ) -> Publication.File {
        var content = document.filled(with: job.urls, code: code.map { $0?.html })
        if let level = job.page.titleLevel { OpeningHeading.promote(&content, from: level) }
        var context = job.context
        context["content"] = RawBytes(bytes: content)
        let rendered = templates.renderPage(job.template, context)
        return Publication.File(
            path: job.path,
            content: .bytes(rendered.bytes),
            key: key,
            text: rendered.content
        )
    }

    /// The values for the template of a page, except its content.
    private func context(of page: Page) -> TemplateContext {
        let audience = access.audience(of: page.url)
        let neighbours = navigation.neighbours(of: page.url, audience)
        var context = frame(page.url, title: page.title, audience)
        context["hasHeading"] =
            page.titleLevel != nil || page.document.headings.contains { $0.level == 1 }
        context["description"] = page.frontMatter.description ?? site.configuration.description
        context["contents"] = shown(page.frontMatter.showsContents ? contents(of: page) : "")
        context["date"] = shown(page.frontMatter.date?.text ?? "")
        context["updated"] = shown(page.updated ?? "")
        context["updatedText"] = page.updated.map {
            CalendarDay.words($0, language: site.configuration.language)
        }
        context["previous"] = neighbours.previous.map(Self.link) ?? false
        context["next"] = neighbours.next.map(Self.link) ?? false
        context["tags"] = shown(tags.html(page.frontMatter.tags, for: audience))
        context["editURL"] = shown(editURL(page))
        context["params"] = page.frontMatter.params
        if let list = lists.onPages[page.url] { add(list, page: 1, to: &context) }
        return context
    }

    /// One page of a generated list.
    func list(_ list: PagedList, page number: Int) -> [UInt8] {
        let url = list.url(ofPage: number)
        var context = frame(url, title: list.title, list.readers, above: list.above)
        add(list, page: number, to: &context)
        return templates.render("list", context)
    }

    /// A list on a single page.
    func list(
        at url: String,
        title: String,
        _ readers: Audience,
        _ html: String,
        template: String = "list"
    ) -> [UInt8] {
        var context = frame(url, title: title, readers)
        context["listing"] = shown(html)
        return templates.render(template, context)
    }

    /// A redirect contains the URL of its target, but not its title.
    func moved(to url: String) -> [UInt8] {
        var context = base
        let encoded = SitePathName.encode(url)
        context["url"] = encoded
        context["canonical"] = (site.configuration.baseURL ?? "") + encoded
        return templates.render("moved", context)
    }

    /// A page without content, which is for everybody.
    func plain(_ template: String) -> [UInt8] { templates.render(template, base) }

    /// The values that pages and lists have in common.
    private func frame(
        _ url: String,
        title: String,
        _ audience: Audience,
        above: (url: String, label: String)? = nil
    ) -> TemplateContext {
        var context = base
        context["title"] = title
        context["isHome"] = url == "/"
        context["description"] = site.configuration.description
        context["navigation"] = navigation.list(for: url, audience)
        // `false` if empty, because Mustache treats an empty string as true.
        context["breadcrumbs"] = shown(breadcrumbs(url, audience, above))
        context["access"] = "\(audience)"
        context["isPublic"] = audience == .public
        if case .groups(let names) = audience {
            context["readers"] = names.sorted().joined(separator: ", ")
        }
        let canonical = site.configuration.baseURL.map { $0 + SitePathName.encode(url) }
        context["canonical"] = shown(canonical ?? "")
        let seesFeed = !feed.files.isEmpty && audience.isSubset(of: feed.readers)
        context["feed"] = shown(seesFeed ? AtomFeed.url : "")
        return context
    }

    private func add(_ list: PagedList, page number: Int, to context: inout TemplateContext) {
        context["listing"] = shown(list.html(page: number))
        guard list.pageCount > 1 else { return }
        var pages = TemplateContext(["number": "\(number)", "count": "\(list.pageCount)"])
        pages["newer"] = number > 1 ? SitePathName.encode(list.url(ofPage: number - 1)) : false
        pages["older"] =
            number < list.pageCount ? SitePathName.encode(list.url(ofPage: number + 1)) : false
        context["pages"] = pages
    }

    /// The headings from level 2 on, as nested lists; empty for a single heading.
    private func contents(of page: Page) -> String {
        let depth = site.configuration.markdown.contentsDepth
        let headings = page.document.headings.dropFirst(page.titleLevel == nil ? 0 : 1)
            .filter { (2...depth).contains($0.level) }
        return headings.count > 1 ? ContentsList.html(headings, depth: depth) : ""
    }

    private func breadcrumbs(
        _ url: String,
        _ audience: Audience,
        _ above: (url: String, label: String)?
    ) -> String {
        let pages = navigation.breadcrumbs(for: url, audience).map { ($0.url, $0.label) }
        return (pages + (above.map { [$0] } ?? [])).map { url, label in
            let href = HTMLText.escapeURL(SitePathName.encode(url))
            return "<li><a href=\"\(href)\">\(HTMLText.escape(label))</a></li>"
        }.joined(separator: "\n")
    }

    private func editURL(_ page: Page) -> String {
        guard let pattern = site.configuration.editURL else { return "" }
        let path = SitePathName.encode(
            site.folder.isEmpty ? page.file.path : "\(site.folder)/\(page.file.path)"
        )
        return pattern.replacing("{path}", with: path)
    }

    private func shown(_ text: String) -> any Sendable { text.isEmpty ? false : text }

    private static func link(_ link: ListedPage) -> any Sendable {
        TemplateContext(["url": SitePathName.encode(link.url), "label": link.label])
    }
}
