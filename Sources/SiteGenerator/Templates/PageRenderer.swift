import Access
import Markdown

/// Fills the templates: pages, the error pages, and the frame of siteauth's pages.
struct PageRenderer: Sendable {
    let site: Site
    let access: PageAccess
    let navigation: Navigation
    let templates: TemplateSet
    /// What every page has.
    private let base: TemplateContext

    init(
        site: Site,
        access: PageAccess,
        navigation: Navigation,
        templates: TemplateSet,
        theme: Theme
    ) {
        self.site = site
        self.access = access
        self.navigation = navigation
        self.templates = templates
        let names = TemplateContext([
            "title": site.configuration.title,
            "description": site.configuration.description,
            "language": site.configuration.language,
        ])
        base = TemplateContext(["site": names, "theme": TemplateContext(theme.urls)])
    }

    /// - Parameter urls: where the page's references lead.
    func page(_ page: Page, urls: [String]) -> [UInt8] {
        let audience = access.audience(of: page.url)
        let neighbours = navigation.neighbours(of: page, audience)
        var context = base
        context["title"] = page.title
        context["isHome"] = page.url == "/"
        context["hasHeading"] = page.document.headings.contains { $0.level == 1 }
        context["description"] = page.frontMatter.description ?? site.configuration.description
        context["content"] = String(decoding: page.document.filled(with: urls), as: UTF8.self)
        // `false`, for Mustache takes an empty text for something that is there.
        context["contents"] = shown(page.frontMatter.showsContents ? contents(of: page) : "")
        context["updated"] = shown(page.frontMatter.updated ?? "")
        context["navigation"] = navigation.list(for: page, audience)
        context["breadcrumbs"] = shown(breadcrumbs(page, audience))
        context["previous"] = neighbours.previous.map(Self.link) ?? false
        context["next"] = neighbours.next.map(Self.link) ?? false
        context["access"] = "\(audience)"
        context["isPublic"] = audience == .public
        if case .groups(let names) = audience {
            context["readers"] = names.sorted().joined(separator: ", ")
        }
        return templates.render(page.frontMatter.template ?? "page", context)
    }

    /// A page that shows nothing of the content: it is for everybody.
    func plain(_ template: String) -> [UInt8] { templates.render(template, base) }

    /// The headings of the second and third level, as nested lists.
    private func contents(of page: Page) -> String {
        let headings = page.document.headings.filter { (2...3).contains($0.level) }
        guard headings.count > 1 else { return "" }
        var html = "<ul>\n"
        var isNested = false
        var isOpen = false
        for heading in headings {
            if heading.level == 3, !isNested {
                html += isOpen ? "\n<ul>\n" : "<li><ul>\n"
                isNested = true
            } else if heading.level == 2 {
                if isNested { html += "</li>\n</ul></li>\n" } else if isOpen { html += "</li>\n" }
                isNested = false
            } else if isNested {
                html += "</li>\n"
            }
            let anchor = HTMLText.escapeURL("#" + SitePathName.encode(heading.id))
            html += "<li><a href=\"\(anchor)\">\(HTMLText.escape(heading.text))</a>"
            isOpen = true
        }
        return html + (isNested ? "</li>\n</ul></li>\n</ul>\n" : "</li>\n</ul>\n")
    }

    private func breadcrumbs(_ page: Page, _ audience: Audience) -> String {
        navigation.breadcrumbs(for: page, audience).map { link in
            let url = HTMLText.escapeURL(SitePathName.encode(link.url))
            return "<li><a href=\"\(url)\">\(HTMLText.escape(link.label))</a></li>"
        }.joined(separator: "\n")
    }

    private func shown(_ text: String) -> any Sendable { text.isEmpty ? false : text }

    private static func link(_ link: Navigation.Link) -> any Sendable {
        TemplateContext(["url": SitePathName.encode(link.url), "label": link.label])
    }
}
