import Diagnostics

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

    /// `permalink: false` of Eleventy publishes no page; other values are URLs.
    mutating func readPermalink(_ entry: FrontMatterEntry) {
        if entry.value.bool == false {
            frontMatter.isDraft = true
        } else {
            reportUnknown(entry)
        }
    }
}
