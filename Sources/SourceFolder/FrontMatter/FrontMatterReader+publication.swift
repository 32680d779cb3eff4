import Diagnostics
import Rules

/// Keys by which other tools publish or hide a page.
extension FrontMatterReader {
    /// Reads a key without a value: it is ignored, unless that would publish the page.
    mutating func readNothing(_ entry: FrontMatterEntry, _ name: FrontMatter.Key) {
        let guarding: [FrontMatter.Key] = [
            .draft, .published, .render, .headless, .build, .unlisted,
        ]
        var message = "'\(entry.key)' is empty and is ignored"
        if name == .widens {
            return report("'widens' is empty; it must be true or false", entry.value.location)
        }
        if guarding.contains(name) {
            frontMatter.isDraft = frontMatter.isDraft || name != .unlisted
            frontMatter.isUnlisted = frontMatter.isUnlisted || name == .unlisted
            message =
                "'\(entry.key)' is empty, so the page is not \(name == .unlisted ? "listed" : "published")"
        }
        diagnostics.append(
            Diagnostic(.emptyValue, message, at: entry.keyLocation, subject: entry.key)
        )
    }

    /// `published: false` of Jekyll and `publish: false` of Obsidian; in Hugo the value is a date.
    mutating func readPublished(_ entry: FrontMatterEntry) {
        if entry.value.bool == nil, let text = entry.value.text,
            case .success(let day) = PageDate.parse(text)
        {
            frontMatter.publication = day
            return
        }
        frontMatter.isDraft = !(bool(entry) ?? false) || frontMatter.isDraft
    }

    /// Hugo's `build: { render: never, list: never }`.
    mutating func readBuild(_ entry: FrontMatterEntry) {
        guard case .table(let options) = entry.value.content else {
            frontMatter.isDraft = true
            return report("'\(entry.key)' must contain 'key: value' pairs", entry.value.location)
        }
        for option in options {
            let word = option.value.text?.lowercased() ?? ""
            let isYes = option.value.bool ?? (word == "always")
            switch option.key.lowercased() {
            case "render": frontMatter.isDraft = frontMatter.isDraft || !isYes
            case "list": frontMatter.isUnlisted = frontMatter.isUnlisted || !isYes
            case "publishresources": break
            default:
                report(
                    "unknown key '\(option.key)' in '\(entry.key)'; it has 'render' and 'list'",
                    option.keyLocation
                )
            }
        }
    }

    /// A day, or `date: { created: …, updated: … }` as in Material for MkDocs.
    mutating func readDate(_ entry: FrontMatterEntry) {
        guard case .table(let entries) = entry.value.content else {
            return frontMatter.date = date(entry)
        }
        for inner in entries {
            switch inner.key.lowercased() {
            case "created": frontMatter.date = date(inner)
            case "updated": frontMatter.updated = frontMatter.updated ?? date(inner)
            default: break
            }
        }
        reportUnknown(in: entry, except: ["created", "updated"])
    }

    /// Keys that hide a page, or a part of it, in the navigation or the search of other tools.
    mutating func readForeign(_ entry: FrontMatterEntry, _ name: FrontMatter.Key) {
        switch (name, entry.value.content) {
        case (.tocHide, _): frontMatter.isHidden = bool(entry) ?? false
        case (.pagefind, _): frontMatter.isSearched = bool(entry) ?? true
        case (.robots, .scalar(let text, _, _)):
            // A page that a search engine must not show is not shown by the site's own either.
            if text.lowercased().contains("noindex") { frontMatter.isSearched = false }
        case (.hide, .scalar) where entry.value.bool == false: break
        case (.hide, .list(let parts)) where ForeignAccessKey.arePartsOfFrame(parts):
            if parts.contains(where: { $0.text == "toc" }) { frontMatter.showsContents = false }
        case (.sidebar, .table(let entries)):
            for inner in entries {
                switch inner.key.lowercased() {
                case "order": frontMatter.order = frontMatter.order ?? number(inner)
                case "label": frontMatter.linkTitle = frontMatter.linkTitle ?? inner.value.text
                case "hidden": frontMatter.isHidden = bool(inner) ?? false
                default: break
                }
            }
            reportUnknown(in: entry, except: ["order", "label", "hidden", "badge", "attrs"])
        // The name of a side bar, or none.
        case (.sidebar, .scalar), (.sidebar, .list): reportUnknown(in: entry, except: [])
        case (.redirect, _):
            let message =
                "'redirect_to' leads nowhere; give the target 'aliases' with this page's address, and"
                + " remove this page"
            diagnostics.append(
                Diagnostic(.unknownConstruct, message, at: entry.keyLocation, subject: entry.key)
            )
        default: reportUnknown(entry)
        }
    }

    /// `permalink: false` of Eleventy publishes no page; other values are URLs, or patterns such as
    /// `/:title/`, which mean nothing here.
    mutating func readPermalink(_ entry: FrontMatterEntry) {
        if entry.value.bool == false {
            frontMatter.isDraft = true
        } else if let text = entry.value.text, !text.contains(where: { ":{".contains($0) }) {
            let path = text.hasPrefix("/") ? text : "/" + text
            frontMatter.permalink = (path, entry.value.location)
        } else {
            reportUnknown(entry)
        }
    }

    mutating func readVariables(_ entry: FrontMatterEntry) {
        guard case .table(let entries) = entry.value.content else {
            return report("'variables' must contain 'name: text' pairs", entry.value.location)
        }
        for inner in entries {
            guard case .scalar(let text, _, _) = inner.value.content else {
                report("'\(inner.key)' in 'variables' must be a text", inner.value.location)
                continue
            }
            if let mistake = VariableText.mistake(inner.key, text) {
                report("variable \(mistake)", inner.keyLocation)
            }
            frontMatter.variables[inner.key] = text
        }
    }
}
