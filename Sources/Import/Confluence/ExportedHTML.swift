import MarkdownWriting

/// Pages of Confluence's export in HTML, in which macros are elements with classes.
struct ExportedHTML {
    let space: ConfluenceSpace
    let page: PageConversion

    func rewritten(_ pieces: [Markup]) -> [Markup] { pieces.flatMap(rewritten) }

    private func rewritten(_ piece: Markup) -> [Markup] {
        let classes = piece.classes
        for (name, rewrite) in Self.meanings where classes.contains(name[...]) {
            return rewrite(self, piece)
        }
        if piece.name == "img" { return [picture(piece)] }
        if let macro = piece.attributes["data-macro-name"], !Self.shown.contains(macro) {
            page.note("macro '\(macro)', now the text that it showed")
        }
        return [piece.with(rewritten(piece.children))]
    }

    /// Macros that leave ordinary HTML behind.
    private static let shown: Set<String> = [
        "align", "column", "div", "excerpt", "loremipsum", "section", "span", "table-filter",
    ]

    private typealias Rewrite = @Sendable (ExportedHTML, Markup) -> [Markup]

    private static let meanings: [(String, Rewrite)] = [
        ("confluence-information-macro", { $0.box($1) }),
        ("expand-container", { $0.fold($1) }),
        ("code", { $0.code($1) }),
        ("preformatted", { $0.code($1) }),
        ("panel", { $0.panel($1) }),
        ("toc-macro", { $0.macro("toc", $1) }),
        ("childpages-macro", { $0.macro("children", $1) }),
        ("plugin_pagetree", { $0.macro("pagetree", $1) }),
        ("plugin_attachments_container", { $0.macro("attachments", $1) }),
        ("status-macro", { $0.macro("status", $1, title: $1.words) }),
        (
            "jira-issue",
            { html, piece in [.element("span", [:], html.pictureless(piece.children))] }
        ),
        ("inline-task-list", { $0.tasks($1) }),
        ("confluence-userlink", { _, piece in [.text("@" + piece.words)] }),
        (
            "emoticon",
            { _, piece in
                let names = [piece["data-emoji-fallback"], piece["alt"]]
                return [.text(names.first { !$0.isEmpty } ?? "")]
            }
        ),
        (
            "confluence-anchor-link",
            { [.element("a", ["id": $1["id"]])] + $0.rewritten($1.children) }
        ),
    ]

    private func macro(_ name: String, _ piece: Markup, title: String = "") -> [Markup] {
        var macro = ConfluenceMacro(name: name)
        if !title.isEmpty { macro.parameters["title"] = .text(title) }
        return macro.replacement(in: space, on: page)
    }

    /// A picture whose address may be that of a small copy, or on the server.
    private func picture(_ piece: Markup) -> Markup {
        let addresses = [piece["src"], piece["data-image-src"]]
        let local = addresses.filter { $0.hasPrefix("attachments/") }
        let ids = [piece["data-linked-resource-id"]] + local.map(ConfluenceSpace.fileID)
        let files = page.conversion.layout.filesByPath
        var copy = piece
        copy.attributes["src"] =
            addresses.first { files[$0] != nil } ?? ids.compactMap { space.filesByID[$0] }.first
            ?? piece["src"]
        return copy
    }

    private func first(_ name: String, in piece: Markup) -> Markup? {
        piece.first { $0.classes.contains(name[...]) }
    }

    private func box(_ piece: Markup) -> [Markup] {
        let prefix = "confluence-information-macro-"
        let kind = piece.classes.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count) ?? ""
        let body = first("confluence-information-macro-body", in: piece) ?? piece
        var macro = ConfluenceMacro(name: kind.isEmpty ? "info" : String(kind))
        macro.body = rewritten(body.children)
        if let title = piece.children.first(where: { $0.classes.contains("title") }) {
            macro.parameters["title"] = title
        }
        return macro.replacement(in: space, on: page)
    }

    private func fold(_ piece: Markup) -> [Markup] {
        var macro = ConfluenceMacro(name: "expand")
        macro.parameters["title"] = first("expand-control-text", in: piece)
        macro.body = first("expand-content", in: piece).map { rewritten($0.children) } ?? []
        return macro.replacement(in: space, on: page)
    }

    private func code(_ piece: Markup) -> [Markup] {
        guard let text = piece.first(where: { $0.name == "pre" }) else {
            return [piece.with(rewritten(piece.children))]
        }
        var macro = ConfluenceMacro(name: "code")
        macro.plain = text.text
        macro.parameters["title"] = first("panelHeader", in: piece)
        let settings = text["data-syntaxhighlighter-params"].split(separator: ";")
        for setting in settings where setting.words.hasPrefix("brush:") {
            macro.parameters["language"] = .text(String(setting.words.dropFirst(6)))
        }
        return macro.replacement(in: space, on: page)
    }

    private func panel(_ piece: Markup) -> [Markup] {
        guard let body = first("panelContent", in: piece) else {
            return [piece.with(rewritten(piece.children))]
        }
        var macro = ConfluenceMacro(name: "panel")
        macro.parameters["title"] = first("panelHeader", in: piece)
        macro.body = rewritten(body.children)
        return macro.replacement(in: space, on: page)
    }

    /// Without the pictures of kinds and states, which are on the server of Jira.
    private func pictureless(_ pieces: [Markup]) -> [Markup] {
        pieces.filter { $0.name != "img" }.map { $0.with(pictureless($0.children)) }
    }

    private func tasks(_ piece: Markup) -> [Markup] {
        let items = piece.children("li").map { item in
            Markup(.task(isDone: item.classes.contains("checked")), rewritten(item.children))
        }
        return [.element("ul", [:], items)]
    }
}
