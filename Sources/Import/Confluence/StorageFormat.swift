import MarkdownWriting

/// Pages in Confluence's storage format: HTML with elements for macros, links and files.
struct StorageFormat {
    let space: ConfluenceSpace
    let page: PageConversion

    func pieces(_ text: String) -> [Markup] {
        // Within an export in XML, the end of a CDATA section has a space.
        var source = text
        if source.contains("]] >") {
            source = source.split(separator: "]] ></ac:", omittingEmptySubsequences: false)
                .joined(separator: "]]></ac:")
        }
        return rewritten(MarkupReader.tree(Array(source.utf8), isXML: true).children)
    }

    private func rewritten(_ pieces: [Markup]) -> [Markup] { pieces.flatMap(rewritten) }

    private func rewritten(_ piece: Markup) -> [Markup] {
        switch piece.name {
        case "ac:structured-macro", "ac:macro": return macro(piece)
        case "ac:link": return [link(piece)]
        case "ac:image": return image(piece)
        case "ri:attachment", "ri:page", "ri:blog-post", "ri:user", "ri:url", "ri:content-entity":
            return [resource(piece, text: [])]
        case "ac:task-list":
            return [
                .element(
                    "ul",
                    [:],
                    piece.children("ac:task").map { task in
                        let isDone = task.child("ac:task-status")?.words == "complete"
                        let body = task.child("ac:task-body")?.children ?? []
                        return Markup(.task(isDone: isDone), rewritten(body))
                    }
                )
            ]
        case "ac:emoticon":
            let name = [piece["ac:emoji-fallback"], ":\(piece["ac:name"]):"].first { !$0.isEmpty }
            return [.text(name ?? "")]
        case "time": return [.text(piece["datetime"])] + rewritten(piece.children)
        case "ac:placeholder":
            return [Markup(.inline(MarkdownText.comment("placeholder \(piece.words)")))]
        case "ac:adf-extension":
            let node = piece.first { $0.name == "ac:adf-node" }
            guard let node, let content = node.first(where: { $0.name == "ac:adf-content" }) else {
                return rewritten(piece.children)
            }
            let kind = node.children("ac:adf-attribute").first { $0["key"].hasPrefix("panel") }
            let body = rewritten(content.children)
            guard let kind else { return body }
            let macro = ConfluenceMacro(name: kind.words, body: body)
            return macro.replacement(in: space, on: page)
        case "ac:adf-attribute", "ac:task-id", "ac:task-uuid": return []
        case let name where name.hasPrefix("ac:"):
            if !Self.frames.contains(name) { page.note("element '\(name)'") }
            return rewritten(piece.children)
        default:
            return [piece.with(rewritten(piece.children))]
        }
    }

    /// Elements of which only the content matters.
    private static let frames: Set<String> = [
        "ac:adf-fallback", "ac:adf-node", "ac:caption", "ac:inline-comment-marker", "ac:layout",
        "ac:layout-cell", "ac:layout-section", "ac:link-body", "ac:plain-text-link-body",
        "ac:rich-text-body",
    ]

    private func macro(_ piece: Markup) -> [Markup] {
        var macro = ConfluenceMacro(name: piece["ac:name"].words.lowercased())
        for parameter in piece.children("ac:parameter") {
            macro.parameters[parameter["ac:name"]] = parameter.with(rewritten(parameter.children))
        }
        // The name of the unnamed parameter, in old exports.
        if let value = piece.child("ac:default-parameter") { macro.parameters[""] = value }
        macro.body = piece.child("ac:rich-text-body").map { rewritten($0.children) } ?? []
        macro.plain = piece.child("ac:plain-text-body")?.text
        return macro.replacement(in: space, on: page)
    }

    private func link(_ piece: Markup) -> Markup {
        let body = piece.children.first { $0.name.hasSuffix("link-body") }
        let text = body.map { rewritten($0.children) } ?? []
        let anchor = piece["ac:anchor"]
        guard let target = piece.children.first(where: { $0.name.hasPrefix("ri:") }) else {
            let address = ConfluenceSpace.address(ofPage: "", anchor: anchor)
            return .element("a", ["href": address], text.isEmpty ? [.text(anchor)] : text)
        }
        return resource(target, text: text, anchor: anchor)
    }

    /// A link to what an element names.
    private func resource(_ piece: Markup, text: [Markup], anchor: String = "") -> Markup {
        switch piece.name {
        case "ri:page", "ri:blog-post":
            let title = piece["ri:content-title"]
            let key = piece["ri:space-key"]
            if !key.isEmpty, key != space.key {
                return unknown(text, "\(title) (\(key))", "link to another space")
            }
            return .element(
                "a",
                ["href": ConfluenceSpace.address(ofPage: title, anchor: anchor)],
                text
            )
        case "ri:attachment":
            let title = piece.first { $0.name == "ri:page" }?["ri:content-title"] ?? ""
            let name = piece["ri:filename"]
            return .element(
                "a",
                ["href": ConfluenceSpace.address(ofFile: name, page: title)],
                text.isEmpty ? [.text(name)] : text
            )
        case "ri:url": return .element("a", ["href": piece["ri:value"]], text)
        case "ri:user":
            let keys = ["ri:userkey", "ri:account-id", "ri:username"].map { piece[$0] }
            let key = keys.first { !$0.isEmpty } ?? ""
            return .element("span", [:], [.text("@" + (space.users[key] ?? key))])
        case "ri:content-entity":
            return .element("a", ["href": "/pages/\(piece["ri:content-id"])"], text)
        default:
            let name = [piece["ri:space-key"], piece["ri:key"]].joined(separator: " ")
            return unknown(text, name.words, "link '\(piece.name)'")
        }
    }

    private func unknown(_ text: [Markup], _ name: String, _ use: String) -> Markup {
        page.note(use)
        let comment = Markup(.inline(MarkdownText.comment(name)))
        return .element("span", [:], (text.isEmpty ? [.text(name)] : text) + [comment])
    }

    private func image(_ piece: Markup) -> [Markup] {
        let alternative = [piece["ac:alt"], piece["ac:title"]].first { !$0.isEmpty } ?? ""
        var address = ""
        if let file = piece.child("ri:attachment") {
            let title = file.first { $0.name == "ri:page" }?["ri:content-title"] ?? ""
            address = ConfluenceSpace.address(ofFile: file["ri:filename"], page: title)
        } else if let url = piece.child("ri:url") {
            address = url["ri:value"]
        }
        let attributes = ["src": address, "alt": alternative, "width": piece["ac:width"]]
        let caption = piece.child("ac:caption").map { rewritten($0.children) } ?? []
        return [.element("img", attributes)] + caption
    }
}
