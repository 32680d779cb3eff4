import Access
import Bytes
import Diagnostics
import Markdown
import Rules

/// Reads the keys of front matter, and reports every mistake with its line and column.
package struct FrontMatterReader {
    package internal(set) var frontMatter = FrontMatter()
    package internal(set) var diagnostics: [Diagnostic] = []

    private static let maximumKeys = 1000

    private let groups: [String]
    private let ignored: Set<String>
    private let isLenient: Bool
    private let listNotation: AccessKeywords.ListNotation
    /// The keys that were read.
    private var seen: Set<FrontMatter.Key> = []

    /// - Parameters:
    ///   - linesAbove: the number of lines above the text in the file.
    ///   - groups: the names that `access` may use.
    ///   - ignored: unknown keys that the site allows, in lower case.
    ///   - isLenient: whether an unknown key is a warning.
    package init(
        _ text: [UInt8],
        _ language: FrontMatterSplit.Language = .yaml,
        path: String,
        linesAbove: Int = 1,
        groups: [String],
        ignored: Set<String> = [],
        isLenient: Bool = false
    ) {
        self.groups = groups
        self.ignored = ignored
        self.isLenient = isLenient
        listNotation = language == .yaml ? .yaml : .quoted
        let (entries, mistakes) =
            switch language {
            case .yaml: YAMLFrontMatter.read(text, path: path, linesAbove: linesAbove)
            case .toml: TOMLFrontMatter.read(text, path: path, linesAbove: linesAbove)
            case .json: JSONFrontMatter.read(text, path: path, linesAbove: linesAbove)
            }
        diagnostics = Self.explained(mistakes, in: text, linesAbove: linesAbove)
        if !diagnostics.isEmpty, let conflict = ConflictMarks.first(in: text) {
            let location = SourceLocation(path, line: linesAbove + conflict.line)
            diagnostics = [Diagnostic(conflictMark: conflict.mark, at: location)]
        }
        if entries.count > Self.maximumKeys {
            // Each unknown key is compared with all known keys, which takes time.
            let message = "front matter has more than \(Self.maximumKeys) keys"
            diagnostics.append(Diagnostic(.error, message, at: entries[0].keyLocation))
            return
        }
        for entry in entries { read(entry, of: entries) }
        if frontMatter.access == nil, !diagnostics.contains(where: \.isFatal),
            let entry = Self.nestedAccess(entries)
        {
            let message =
                "'\(entry.key)' is nested in another key, where it does not protect this page"
            diagnostics.append(Diagnostic(.unreadAccess, message, at: entry.keyLocation))
        }
    }

    private mutating func read(_ entry: FrontMatterEntry, of entries: [FrontMatterEntry]) {
        // GitBook's table, which a site may ignore.
        let isLayout = entry.key.lowercased() == "layout"
        if isLayout, ignored.contains("layout"), entry.value.tables.isEmpty == false { return }
        guard let name = FrontMatter.key(named: entry.key) else { return reportUnknown(entry) }
        guard seen.insert(name).inserted else {
            let other = entries.first { FrontMatter.key(named: $0.key) == name } ?? entry
            report("'\(entry.key)' and '\(other.key)' are the same key", entry.keyLocation)
            return lower(entry, name, since: diagnostics.count - 1)
        }
        if entry.value.isEmpty, name != .access { return readNothing(entry, name) }
        let entry = withoutNull(entry, name)
        let known = diagnostics.count
        read(entry, name)
        reportCurlyQuotes(entry, since: known)
        lower(entry, name, since: known)
    }

    /// Lets the site lower the errors of a key that protects no page; a table may hold one that does.
    private mutating func lower(
        _ entry: FrontMatterEntry,
        _ name: FrontMatter.Key,
        since known: Int
    ) {
        if diagnostics.count == known || name.isGuarding { return }
        if ForeignAccessKey.message(for: entry) != nil { return }
        for index in diagnostics.indices[known...] where diagnostics[index].rule == nil {
            diagnostics[index].rule = Rule.frontMatterValue.rawValue
        }
    }

    private mutating func read(_ entry: FrontMatterEntry, _ name: FrontMatter.Key) {
        switch name {
        case .title: frontMatter.title = string(entry, maximumBytes: 1000)
        case .linkTitle: frontMatter.linkTitle = string(entry, maximumBytes: 1000)
        case .description: frontMatter.description = string(entry, maximumBytes: 10_000)
        case .summary:
            let text = string(entry, maximumBytes: 10_000)
            frontMatter.description = frontMatter.description ?? text
        case .id: frontMatter.id = string(entry, maximumBytes: 1000)
        case .date: readDate(entry)
        case .lastmod: frontMatter.updated = date(entry)
        case .publishDate: frontMatter.publication = date(entry)
        case .expiryDate: frontMatter.expiry = date(entry)
        case .draft: frontMatter.isDraft = (bool(entry) ?? true) || frontMatter.isDraft
        case .published: readPublished(entry)
        case .build: readBuild(entry)
        case .render: frontMatter.isDraft = !(bool(entry) ?? false) || frontMatter.isDraft
        case .headless: frontMatter.isDraft = (bool(entry) ?? true) || frontMatter.isDraft
        case .permalink: readPermalink(entry)
        case .unlisted: frontMatter.isUnlisted = bool(entry) ?? true
        case .search: readSearch(entry)
        case .order: frontMatter.order = number(entry)
        case .slug: frontMatter.slug = slug(entry)
        case .aliases:
            frontMatter.aliases = limited(texts(entry), entry).map { ($0.text, $0.location) }
        case .tags: frontMatter.tags = lines(entry, "a tag", splitAt: ",")
        case .template: readTemplate(entry)
        case .toc: frontMatter.showsContents = bool(entry) ?? true
        case .listing: frontMatter.showsListing = bool(entry)
        case .sort: readSort(entry)
        case .language: readLanguage(entry)
        case .owner: frontMatter.owners = lines(entry, "an owner")
        case .review: readReview(entry)
        case .access: readAccess(entry.value)
        case .widens: frontMatter.widens = bool(entry) ?? false
        case .params: frontMatter.params = params(entry)
        case .variables: readVariables(entry)
        case .hide, .pagefind, .redirect, .robots, .sidebar, .tocHide: readForeign(entry, name)
        }
    }

    mutating func reportUnknown(_ entry: FrontMatterEntry) {
        if ignored.contains(entry.key.lowercased()) { return }
        if let message = ForeignAccessKey.message(for: entry) {
            diagnostics.append(Diagnostic(.withheldPage, message, at: entry.keyLocation))
            return
        }
        if ForeignKey.names.contains(entry.key.lowercased()) { return reportForeign(entry) }
        let rule = Rule.unknownKey(entry.key)
        // Thousands of pages may have the key, so a hint is added to what is shown.
        let hint =
            rule == .unknownKey ? "" : NearestName.hint(entry.key, in: FrontMatter.allNames)
        let message = "unknown key '\(entry.key)' in front matter\(hint)"
        var diagnostic = Diagnostic(rule, message, at: entry.keyLocation, subject: entry.key)
        if isLenient, rule == .unknownKey { diagnostic.severity = .warning }
        diagnostics.append(diagnostic)
    }

    private mutating func reportForeign(_ entry: FrontMatterEntry) {
        let message = "'\(entry.key)' of other tools has no effect"
        var diagnostic = Diagnostic(
            .unknownKey,
            message,
            at: entry.keyLocation,
            subject: entry.key
        )
        diagnostic.severity = .warning
        diagnostics.append(diagnostic)
    }

    /// The name of a template, or GitBook's table of the parts of a page.
    private mutating func readTemplate(_ entry: FrontMatterEntry) {
        let parts = entry.value.tables.flatMap(\.self)
        guard entry.key.lowercased() == "layout", !parts.isEmpty else {
            return frontMatter.template = string(entry).map { ($0, entry.value.location) }
        }
        let others = parts.filter { !ForeignKey.isPartOfLayout($0) }
        others.isEmpty ? reportForeign(entry) : others.forEach { reportUnknown($0) }
    }

    /// The key `access` in a table that is the value of another key.
    private static func nestedAccess(_ entries: [FrontMatterEntry]) -> FrontMatterEntry? {
        for entry in entries {
            for inner in entry.value.tables {
                let found = inner.first { $0.key.lowercased() == "access" } ?? nestedAccess(inner)
                if let found { return found }
            }
        }
        return nil
    }

    private mutating func readAccess(_ value: FrontMatterValue) {
        var words: [String] = []
        var locations: [SourceLocation] = []
        switch value.content {
        case .list(let elements):
            locations = elements.map(\.location)
            for element in elements {
                guard case .scalar(let word, _, _) = element.content else {
                    let problem =
                        element.isEmpty ? "has an element without a value; it must" : "must"
                    report("'access' \(problem) be a list of names", element.location)
                    return
                }
                guard let word = accessWord(word, element.location) else { return }
                words.append(word)
            }
        case .scalar(let word, _, _):
            guard let word = accessWord(word, value.location) else { return }
            words = word.isEmpty ? [] : [word]
        case .table, .null: break
        }
        switch AccessKeywords.audience(words, groups: groups, list: listNotation) {
        case .success(let audience):
            frontMatter.access = audience
            frontMatter.accessLocation = value.location
        case .failure(let mistakes):
            for mistake in mistakes.all {
                let location = mistake.element.flatMap {
                    locations.indices.contains($0) ? locations[$0] : nil
                }
                report(mistake.message, location ?? value.location)
            }
        }
    }

    /// A word without the white space around it.
    ///
    /// Of several lines, none may be left out: what is left might be for more readers.
    private mutating func accessWord(_ text: String, _ location: SourceLocation) -> String? {
        var word = text.drop(while: \.isWhitespace)
        while word.last?.isWhitespace == true { word.removeLast() }
        guard !word.contains(where: \.isNewline) else {
            let list = listNotation.list(["hr", "board"])
            report("'access' has several lines; write a list, such as \(list)", location)
            return nil
        }
        return String(word)
    }

    /// `search: false`, or `search: { exclude: true, boost: 2 }` as in Material for MkDocs.
    private mutating func readSearch(_ entry: FrontMatterEntry) {
        guard case .table(let entries) = entry.value.content else {
            return frontMatter.isSearched = bool(entry) ?? true
        }
        for inner in entries where inner.key == "exclude" {
            frontMatter.isSearched = !(bool(inner) ?? false)
        }
        reportUnknown(in: entry, except: ["exclude", "boost"])
    }

    /// Reports the keys of a table that sitegen does not know, as those of the page.
    mutating func reportUnknown(in entry: FrontMatterEntry, except known: [String]) {
        for table in entry.value.tables {
            for inner in table where !known.contains(inner.key.lowercased()) {
                if let key = FrontMatter.key(named: inner.key), key.isGuarding {
                    let message = "'\(inner.key)' in '\(entry.key)' does not protect this page"
                    diagnostics.append(Diagnostic(.withheldPage, message, at: inner.keyLocation))
                } else {
                    reportUnknown(inner)
                }
            }
        }
    }

    private mutating func slug(_ entry: FrontMatterEntry) -> (String, SourceLocation)? {
        guard let slug = string(entry) else { return nil }
        // Docusaurus means a whole address.
        if slug.hasPrefix("/") {
            frontMatter.permalink = (slug, entry.value.location)
            return nil
        }
        if let mistake = SitePathName.segmentMistake(slug) {
            report("'slug' is '\(slug)'; \(mistake)", entry.value.location)
            return nil
        }
        return (slug, entry.value.location)
    }

    /// Short texts, each once.
    private mutating func lines(
        _ entry: FrontMatterEntry,
        _ what: String,
        splitAt separator: Character? = nil
    ) -> [String] {
        var lines: [String] = []
        var known: Set<String> = []
        for (text, location) in limited(texts(entry, splitAt: separator), entry) {
            if text.utf8.count > 100 || text.utf8.contains(where: { $0 < 32 }) {
                report("\(what) must be one line of at most 100 bytes", location)
            } else if known.insert(text.lowercased()).inserted {
                lines.append(text)
            }
        }
        return lines
    }

    private mutating func params(_ entry: FrontMatterEntry) -> [FrontMatterEntry] {
        guard case .table(let entries) = entry.value.content else {
            report("'params' must contain 'key: value' pairs", entry.value.location)
            return []
        }
        if let inner = ForeignAccessKey.param(in: entries) {
            let message =
                "'\(inner.key)' in 'params' does not protect this page; move it out of 'params' or"
                + " rename it"
            diagnostics.append(Diagnostic(.withheldPage, message, at: inner.keyLocation))
        }
        return entries
    }

    /// A string, or a list of strings.
    private mutating func texts(
        _ entry: FrontMatterEntry,
        splitAt separator: Character? = nil
    ) -> [(text: String, location: SourceLocation)] {
        switch entry.value.content {
        case .scalar(let text, _, _):
            let parts = separator.map { text.split(separator: $0) } ?? [text[...]]
            return parts.map { (Self.trimmed($0), entry.value.location) }.filter { !$0.0.isEmpty }
        case .list(let values):
            return values.compactMap { value in
                if let text = value.text ?? Self.gitBookTag(value) {
                    return (Self.trimmed(text[...]), value.location)
                }
                report("'\(entry.key)' must be a list of strings", value.location)
                return nil
            }
        case .table, .null:
            report("'\(entry.key)' must be a list of strings", entry.value.location)
            return []
        }
    }

    /// The name in `- tag: name`.
    private static func gitBookTag(_ value: FrontMatterValue) -> String? {
        guard case .table(let entries) = value.content, entries.count == 1 else { return nil }
        return entries[0].key == "tag" ? entries[0].value.text : nil
    }

    private static func trimmed(_ text: Substring) -> String {
        if text.utf8.first != 0x20, text.utf8.last != 0x20 { return String(text) }
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// A limit, because each tag and each alias gets a page of its own.
    private mutating func limited<Text>(_ texts: [Text], _ entry: FrontMatterEntry) -> [Text] {
        if texts.count <= 500 { return texts }
        report(
            "'\(entry.key)' has \(texts.count) values; it must have at most 500",
            entry.keyLocation
        )
        return []
    }

    /// - Parameter maximumBytes: a limit, because a title is copied into every list that shows the
    ///   page.
    private mutating func string(_ entry: FrontMatterEntry, maximumBytes: Int = 10_000) -> String? {
        if let text = entry.value.text {
            if frontMatter.formLocation == nil, text.utf8.span.position(of: "{{") != nil {
                frontMatter.formLocation = entry.value.location
            }
            if text.utf8.count <= maximumBytes { return text }
            report("'\(entry.key)' is longer than \(maximumBytes) bytes", entry.value.location)
            return nil
        }
        report("'\(entry.key)' must be a string", entry.value.location)
        return nil
    }

    mutating func bool(_ entry: FrontMatterEntry) -> Bool? {
        if let bool = entry.value.bool { return bool }
        let text = entry.value.text ?? "…"
        report("'\(entry.key)' is '\(text)'; it must be true or false", entry.value.location)
        return nil
    }

    mutating func number(_ entry: FrontMatterEntry) -> Double? {
        if let number = entry.value.number { return number }
        let text = entry.value.text ?? "…"
        report("'\(entry.key)' is '\(text)'; it must be a number", entry.value.location)
        return nil
    }

    mutating func date(_ entry: FrontMatterEntry) -> PageDate? {
        let text = entry.value.text ?? ""
        switch PageDate.parse(text) {
        case .success(let day): return day
        case .failure(let mistake):
            report("'\(entry.key)' is '\(text)'; \(mistake.message)", entry.value.location)
            return nil
        }
    }

    mutating func report(_ message: String, _ location: SourceLocation) {
        diagnostics.append(Diagnostic(.error, message, at: location))
    }
}
