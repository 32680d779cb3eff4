import MarkdownWriting

/// A macro of Confluence: from the storage format, or as the export in HTML shows it.
struct ConfluenceMacro {
    let name: String
    /// The values, which may hold a link or the name of a file.
    var parameters: [String: Markup] = [:]
    var body: [Markup] = []
    /// A body that is no markup, such as code.
    var plain: String?

    private enum Meaning {
        case alert(String)
        case code, details, panel, contents, status, jira, anchor, listing
        case include, file, drawing, attachments, user, link
        case formula, formulaInLine
        /// What the macro holds is all that readers see.
        case body
        /// Readers see what Confluence found for them.
        case search
    }

    private static let meanings: [String: Meaning] = [
        "info": .alert("NOTE"), "information": .alert("NOTE"), "note": .alert("WARNING"),
        "tip": .alert("TIP"), "warning": .alert("CAUTION"), "success": .alert("TIP"),
        "error": .alert("CAUTION"),
        "code": .code, "noformat": .code, "html": .code, "panel": .panel,
        "expand": .details, "ui-expand": .details,
        "toc": .contents, "status": .status, "jira": .jira, "jiraissues": .jira,
        "anchor": .anchor, "children": .listing, "pagetree": .listing,
        "include": .include, "excerpt-include": .include,
        "view-file": .file, "viewdoc": .file, "viewpdf": .file, "viewppt": .file,
        "viewxls": .file, "multimedia": .file,
        "drawio": .drawing, "gliffy": .drawing, "inc-drawio": .drawing,
        "attachments": .attachments, "gallery": .attachments, "profile": .user,
        "widget": .link, "iframe": .link,
        "excerpt": .body, "section": .body, "column": .body, "details": .body, "div": .body,
        "span": .body, "center": .body, "toc-zone": .body, "ui-steps": .body, "ui-step": .body,
        "ui-tabs": .body, "ui-tab": .body, "ui-text-box": .body, "table-filter": .body,
        "mathblock": .formula, "mathinline": .formulaInLine,
        "blog-posts": .search, "change-history": .search, "contentbylabel": .search,
        "contributors": .search, "create-from-template": .search, "favpages": .search,
        "livesearch": .search, "navmap": .search, "pagetreesearch": .search,
        "popular-labels": .search, "recently-updated": .search, "tasks-report-macro": .search,
    ]

    private func value(_ name: String) -> String { parameters[name]?.words ?? "" }

    /// What stands here instead.
    func replacement(in space: ConfluenceSpace, on page: PageConversion) -> [Markup] {
        switch Self.meanings[name] {
        case .alert(let kind): return [Markup(.alert(kind, title: value("title")), body)]
        case .code:
            let text = plain ?? Markup.element("", [:], body).text
            return [Markup(.code(text, language: value("language"), title: value("title")))]
        case .details: return [Markup(.details(summary: value("title")), body)]
        case .panel:
            let title = value("title")
            let line = Markup.element("p", [:], [.element("strong", [:], [.text(title)])])
            return [.element("blockquote", [:], (title.isEmpty ? [] : [line]) + body)]
        case .contents: return [Markup(.block("[TOC]"))]
        case .status: return [.element("strong", [:], [.text(value("title"))])]
        case .jira: return [jiraIssue(space, page)]
        case .anchor: return [.element("a", ["id": value("").filter { !$0.isWhitespace }])]
        case .listing:
            page.isListing = true
            return []
        case .include: return include(page)
        case .file: return parameters["name"]?.children ?? unknown(page)
        case .drawing: return drawing(space, page)
        case .attachments:
            let items = space.site.pages[page.index].attachments.map { file in
                let address = ConfluenceSpace.address(ofFile: file.name, page: "")
                return Markup.element("li", [:], [.element("a", ["href": address])])
            }
            return [.element("ul", [:], items)]
        case .user: return parameters["user"]?.children ?? unknown(page)
        case .link:
            let address =
                [value("url"), value("src")].first { !$0.isEmpty }
                ?? parameters.values.compactMap { $0.first { $0.name == "a" }?["href"] }.first
            guard let address else { return unknown(page) }
            return [.element("p", [:], [.element("a", ["href": address], [.text(address)])])]
        case .body: return body
        case .formula:
            let text = plain ?? value("body")
            return [Markup(.block(MarkdownText.codeBlock(text, language: "math", isDrawn: true)))]
        case .formulaInLine:
            return [Markup(.inline("$\(MarkdownText.code(plain ?? value("body")))$"))]
        case .search:
            page.note("macro '\(name)', left out")
            return [Markup(.block(MarkdownText.comment("macro \(name)")))]
        case nil: return unknown(page)
        }
    }

    private func jiraIssue(_ space: ConfluenceSpace, _ page: PageConversion) -> Markup {
        let key = value("key")
        let isKey =
            !key.isEmpty
            && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        if isKey, let jira = space.jira {
            return .element("a", ["href": "\(jira)/browse/\(key)"], [.text(key)])
        }
        page.note(isKey ? "issue of Jira without '--jira'" : "macro '\(name)'")
        return .text(key.isEmpty ? "Jira: \(value("jqlQuery"))" : key)
    }

    private func include(_ page: PageConversion) -> [Markup] {
        page.note("macro '\(name)', now a link")
        var links = parameters.values.flatMap { $0.children.filter { $0.name == "a" } }
        if links.isEmpty, !value("").isEmpty {
            let address = ConfluenceSpace.address(ofPage: value(""), anchor: "")
            links = [.element("a", ["href": address])]
        }
        if links.isEmpty { return unknown(page) }
        return [Markup(.block(MarkdownText.comment("macro \(name)"))), .element("p", [:], links)]
    }

    /// The picture that the program for drawings left beside its file.
    private func drawing(_ space: ConfluenceSpace, _ page: PageConversion) -> [Markup] {
        let name = [value("diagramName"), value("name")].first { !$0.isEmpty } ?? ""
        let files = space.site.pages[page.index].attachments.map(\.name)
        for ending in [".png", ".svg", ""] where files.contains(name + ending) {
            let address = ConfluenceSpace.address(ofFile: name + ending, page: "")
            if ending.isEmpty { return [.element("p", [:], [.element("a", ["href": address])])] }
            return [.element("p", [:], [.element("img", ["src": address, "alt": name])])]
        }
        return unknown(page)
    }

    /// The text of a macro that has no counterpart, with its name where there is no text.
    private func unknown(_ page: PageConversion) -> [Markup] {
        page.note("macro '\(name)'")
        let mark = Markup(.block(MarkdownText.comment("macro \(name)")))
        let code = plain.map { [Markup(.code($0, language: "", title: ""))] } ?? []
        if !body.isEmpty || !code.isEmpty { return [mark] + body + code }
        let values = parameters.keys.sorted().map { key in
            [key, value(key)].filter { !$0.isEmpty }.joined(separator: "=")
        }
        let text = ([name] + values.filter { !$0.isEmpty }).joined(separator: " ")
        return [.element("em", [:], [.text("[\(text)]")])]
    }
}
