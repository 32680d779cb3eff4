import Fixtures
import Foundation

@testable import Rules
@testable import Site

/// A site made by chance: folders, rules, groups, tags, aliases, drafts, links; each title,
/// description, heading, tag, name and text is a word that stands nowhere else.
struct RandomSite {
    /// Who may read something, as this test understands the rules of the handbook.
    enum Rule: Equatable {
        case `public`, signedIn
        case groups(Set<String>)

        func admits(_ reader: Reader) -> Bool {
            switch self {
            case .public: true
            case .signedIn: reader.isSignedIn
            case .groups(let names): !names.isDisjoint(with: reader.groups)
            }
        }

        var words: String {
            switch self {
            case .public: "public"
            case .signedIn: "signed-in"
            case .groups(let names): "[\(names.sorted().joined(separator: ", "))]"
            }
        }
    }

    struct Reader: Hashable {
        let isSignedIn: Bool
        let groups: Set<String>
    }

    struct Page {
        var path: String
        var url: String
        var rule: Rule
        var isPublished: Bool
        /// Words that only readers of the page may see.
        var words: Set<Int> = []
        /// Words that this page's author wrote of other pages: their addresses in links.
        var quoted: Set<Int> = []
    }

    static let groups = ["hr", "it", "board"]
    static let readers =
        [Reader(isSignedIn: false, groups: [])]
        + (0..<8).map { bits in
            Reader(
                isSignedIn: true,
                groups: Set(groups.indices.filter { bits >> $0 & 1 == 1 }.map { groups[$0] })
            )
        }

    private(set) var pages: [Page] = []
    /// The text of each file by path.
    private(set) var files: [String: String] = [:]
    /// Who may know a word: whoever may read one of these pages.
    private(set) var owners: [Int: [Int]] = [:]
    private var chance: Chance
    private var lastWord = 0

    init(seed: UInt64) {
        chance = Chance(state: seed)
        let root = anyRule()
        var tags: [Int] = (0..<4).map { _ in word() }
        var fronts: [[String]] = []
        var folders: [(path: String, url: String, rule: Rule, words: [Int])] = [("", "/", root, [])]
        var bodies: [String] = []

        func add(_ path: String, _ url: String, _ inherited: Rule, _ folderWords: [Int]) -> Rule {
            var front: [String] = []
            let (title, heading, body) = (word(), word(), word())
            var page = Page(path: path, url: url, rule: inherited, isPublished: true)
            page.words = [title, heading, body]
            if oneIn(3) {
                page.rule = anyRule()
                front += ["access: \(page.rule.words)", "widens: true"]
            }
            if !oneIn(3) { front.append("title: Title \(text(title))") }
            // Without a heading of level 1, SUMMARY.md may give the title.
            let marks = oneIn(3) ? "##" : "#"
            if oneIn(2) {
                let description = word()
                page.words.insert(description)
                front.append("description: About \(text(description))")
            }
            if oneIn(4) {
                let label = word()
                page.words.insert(label)
                front.append("linkTitle: \(text(label))")
            }
            if oneIn(6) { front.append("unlisted: true") }
            if oneIn(3) { front.append("order: \(Int.random(in: 1...9, using: &chance))") }
            if oneIn(2) {
                front.append("lastmod: 2026-0\(Int.random(in: 1...9, using: &chance))-11")
            }
            if oneIn(8) {
                page.isPublished = false
                let reasons = ["draft: true", "date: 2031-01-01", "expiryDate: 2020-01-01"]
                front.append(reasons.randomElement(using: &chance) ?? "")
            }
            if page.isPublished, oneIn(3) {
                front.append("date: 2025-0\(Int.random(in: 1...9, using: &chance))-11")
            }
            if oneIn(4) {
                let owner = word()
                page.words.insert(owner)
                let month = Int.random(in: 10...12, using: &chance)
                front += ["owner: \(text(owner))", "review: 2026-\(month)"]
            }
            if oneIn(4) { front.append("sort: date") }
            if oneIn(5) { front.append("language: de") }
            if oneIn(4) { front.append("listing: true") }
            if oneIn(3) {
                let alias = word()
                page.words.insert(alias)
                front.append("aliases: [/\(text(alias))/, /\(text(alias)).html]")
            }
            if oneIn(2) {
                if oneIn(3) { tags.append(word()) }
                let carried = Set((0..<2).compactMap { _ in tags.randomElement(using: &chance) })
                front.append("tags: [\(carried.sorted().map(text).joined(separator: ", "))]")
                if page.isPublished {
                    for tag in carried { owners[tag, default: []].append(pages.count) }
                }
            }
            if page.isPublished {
                for word in page.words.union(folderWords) {
                    owners[word, default: []].append(pages.count)
                }
            }
            pages.append(page)
            fronts.append(front)
            bodies.append("\(marks) Heading \(text(heading))\n\nText \(text(body))\n")
            return page.rule
        }

        for _ in 0..<Int.random(in: 1...4, using: &chance) {
            guard let parent = folders.randomElement(using: &chance) else { continue }
            let name = word()
            var folder = (
                path: parent.path + text(name) + "/", url: parent.url + text(name) + "/",
                rule: parent.rule, words: parent.words + [name]
            )
            if oneIn(2) {
                folder.rule = add(folder.path + "index.md", folder.url, folder.rule, folder.words)
            }
            folders.append(folder)
        }
        if oneIn(2) { folders[0].rule = add("index.md", "/", root, []) }
        for _ in 0..<Int.random(in: 4...14, using: &chance) {
            guard let folder = folders.randomElement(using: &chance) else { continue }
            let name = word()
            let url = folder.url + text(name) + "/"
            // The rule of the folder as it is now: an index that came later is counted, too.
            _ = add(
                folder.path + text(name) + ".md",
                url,
                inherited(folder.url, root),
                folder.words + [name]
            )
        }
        // The root's own page may have come after the folders that inherit from it.
        for index in pages.indices
        where !fronts[index].contains(where: { $0.hasPrefix("access:") }) {
            let url = pages[index].url
            pages[index].rule = explicitRule(url, fronts) ?? root
        }
        write(root, fronts, bodies)
    }

    /// Whether whoever may read one page may read the other one.
    func isContained(_ page: Int, in other: Int) -> Bool {
        Self.readers.allSatisfy {
            !pages[page].rule.admits($0) || pages[other].rule.admits($0)
        }
    }

    /// Lets pages show the texts of pages that all of their readers may read.
    private mutating func include(_ bodies: inout [String]) {
        var shown = pages.indices.map { [$0] }
        for index in pages.indices where oneIn(3) {
            // Only a page before it, so that no text includes itself.
            let target = Int.random(in: 0...index, using: &chance)
            guard target < index, pages[index].isPublished, pages[target].isPublished,
                isContained(index, in: target)
            else { continue }
            let name = pages[target].path
            let form = [
                "{{#include /\(name)}}", "--8<-- \"\(name)\"", "[!INCLUDE [a](/\(name))]",
            ].randomElement(using: &chance)
            bodies[index] = (form ?? "") + "\n\n" + bodies[index]
            shown[index] += shown[target]
            for page in shown[target] {
                for word in Self.words(in: bodies[page]) { owners[word, default: []].append(index) }
                pages[index].quoted.formUnion(pages[page].quoted)
            }
        }
    }

    private func inherited(_ url: String, _ root: Rule) -> Rule {
        pages.first { $0.url == url }?.rule ?? root
    }

    /// What the nearest page at or above a URL says of access.
    private func explicitRule(_ url: String, _ fronts: [[String]]) -> Rule? {
        var url = url
        while true {
            for (index, page) in pages.enumerated()
            where page.url == url && fronts[index].contains(where: { $0.hasPrefix("access:") }) {
                return page.rule
            }
            if url == "/" { return nil }
            url = String(url[..<(url.dropLast().lastIndex(of: "/") ?? url.startIndex)]) + "/"
        }
    }

    private mutating func write(_ root: Rule, _ fronts: [[String]], _ bodies: [String]) {
        var bodies = bodies
        for index in pages.indices {
            let target = Int.random(in: pages.indices, using: &chance)
            if oneIn(2), pages[target].isPublished {
                // The author's own doing: the address of another page, and a warning.
                // What the link says is the author's, and may lead the reader of both pages there.
                let label = word()
                if pages[index].isPublished { owners[label] = [index] }
                bodies[index] += "\n[To \(text(label))](/\(pages[target].path))\n"
                pages[index].quoted = Self.words(in: pages[target].path)
            }
        }
        include(&bodies)
        for index in pages.indices {
            let front =
                fronts[index].isEmpty ? "" : "---\n\(fronts[index].joined(separator: "\n"))\n---\n"
            files["site/" + pages[index].path] = front + bodies[index]
        }
        if oneIn(3) {
            files["site/SUMMARY.md"] = summary()
        }
        var configuration = "access = \(Self.toml(root))\nlisting_size = 2\n"
        if oneIn(2) { configuration += "base_url = \"https://example.com\"\n" }
        if oneIn(2) { configuration += "edit_url = \"https://git.example.com/{path}\"\n" }
        if oneIn(2) { configuration += "markdown_copies = true\n" }
        let listings = ["none", "missing", "all"].randomElement(using: &chance) ?? "all"
        configuration += "listings = \"\(listings)\"\n[groups]\n"
        for group in Self.groups { configuration += "\(group) = { role = \"\(group)\" }\n" }
        files["sitegen.toml"] = configuration
    }

    /// Some of the pages, nested as it comes: public pages below closed ones and the other way
    /// round, drafts, headings, and items that are no page.
    ///
    /// Who may open a page may know the headings above it.
    private mutating func summary() -> String {
        var summary = "# Summary\n\n"
        var depth = 0
        var headings: [(depth: Int, word: Int)] = []
        for index in pages.indices.shuffled(using: &chance) where !oneIn(3) {
            let label = word()
            let indent = String(repeating: "  ", count: depth)
            headings.removeAll { $0.depth >= depth }
            if depth == 0, oneIn(8) {
                summary += "\n## \(text(label))\n\n"
                headings = [(-1, label)]
            } else if oneIn(6) {
                summary += "\(indent)- \(oneIn(2) ? text(label) : "[\(text(label))]()")\n"
                headings.append((depth, label))
            } else {
                if pages[index].isPublished {
                    owners[label] = [index]
                    for heading in headings { owners[heading.word, default: []].append(index) }
                }
                summary += "\(indent)- [\(text(label))](\(pages[index].path))\n"
            }
            depth = Int.random(in: 0...(depth + 1), using: &chance)
        }
        return summary
    }

    private static func toml(_ rule: Rule) -> String {
        guard case .groups(let names) = rule else { return "\"\(rule.words)\"" }
        return "[\(names.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]"
    }

    private mutating func anyRule() -> Rule {
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: return .public
        case 1: return .signedIn
        default:
            let bits = Int.random(in: 1..<8, using: &chance)
            return .groups(
                Set(Self.groups.indices.filter { bits >> $0 & 1 == 1 }.map { Self.groups[$0] })
            )
        }
    }

    private mutating func oneIn(_ count: Int) -> Bool {
        Int.random(in: 0..<count, using: &chance) == 0
    }

    private mutating func word() -> Int {
        lastWord += 1
        return lastWord
    }

    private func text(_ word: Int) -> String { "zq\(word)z" }

    /// The words in a text: `zq`, a number, `z`.
    static func words(in text: String) -> Set<Int> {
        var words: Set<Int> = []
        var rest = Array(text.lowercased().utf8)[...]
        let (z, q) = (UInt8(ascii: "z"), UInt8(ascii: "q"))
        while let start = rest.firstIndex(of: z) {
            rest = rest[start...].dropFirst()
            guard rest.first == q else { continue }
            let digits = rest.dropFirst().prefix { (48...57).contains($0) }
            if rest.dropFirst(digits.count + 1).first == z,
                let word = Int(String(decoding: digits, as: UTF8.self))
            {
                words.insert(word)
            }
        }
        return words
    }
}
