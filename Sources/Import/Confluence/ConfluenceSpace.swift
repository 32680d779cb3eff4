import Access
import MarkdownWriting

/// A space of Confluence, whichever export it came in.
struct ConfluenceSpace {
    enum Body {
        /// The storage format.
        case storage(String)
        /// A page of an export in HTML, below the source folder.
        case html(String)
    }

    var site: ImportedSite
    var bodies: [Body] = []
    var key = ""
    /// The address of Jira, for the keys of its issues.
    var jira: String?
    private(set) var pagesByID: [String: Int] = [:]
    private(set) var pagesByTitle: [String: Int] = [:]
    /// By the file's name in an export in HTML.
    private(set) var pagesByFile: [String: Int] = [:]
    /// The paths of files in an export in HTML by ``fileID(_:)``.
    var filesByID: [String: String] = [:]
    /// Titles and ids of restricted pages that are left out.
    var hidden: Set<String> = []
    /// By id, key or name.
    var users: [String: String] = [:]

    init(title: String) { site = ImportedSite(title: title, pages: []) }

    mutating func add(_ page: ImportedPage, id: String, file: String = "", _ body: Body) {
        let index = site.pages.count
        site.pages.append(page)
        site.pages[index].id = id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        bodies.append(body)
        if !id.isEmpty { pagesByID[id] = index }
        if !file.isEmpty { pagesByFile[file] = index }
        pagesByTitle[page.title.lowercased()] = index
    }

    // MARK: Links

    /// The address of a page that storage format names by its title.
    static func address(ofPage title: String, anchor: String) -> String {
        "\u{1}page\u{1}\(title)\u{1}\(anchor.filter { !$0.isWhitespace })"
    }

    /// The address of a page's file.
    ///
    /// - Parameter title: of the page; empty for the page with the link.
    static func address(ofFile name: String, page title: String) -> String {
        "\u{1}file\u{1}\(name)\u{1}\(title)"
    }

    /// The number that is the name of a file in an export in HTML, and of the small copy of it.
    static func fileID(_ path: String) -> String {
        String((path.split(separator: "/").last ?? "").prefix { $0 != "." && $0 != "?" })
    }

    func target(of address: String, on page: Int, _ layout: SiteLayout) -> LinkTarget {
        let parts = address.split(separator: "\u{1}", omittingEmptySubsequences: false)
            .map(String.init)
        if parts.count == 4, parts[1] == "page" {
            if parts[2].isEmpty { return .page(page, fragment: parts[3]) }
            return target(pagesByTitle, parts[2].words.lowercased(), parts[3]) ?? .missing(parts[2])
        }
        if parts.count == 4, parts[1] == "file" {
            let owner = parts[3].isEmpty ? page : pagesByTitle[parts[3].words.lowercased()]
            let file = owner.flatMap { owner in
                layout.attachments[owner].last { $0.name == parts[2] }
            }
            return file.map { .file($0.path) } ?? .missing(parts[2])
        }
        return target(ofURL: address.words, on: page, layout)
    }

    private func target(ofURL address: String, on page: Int, _ layout: SiteLayout) -> LinkTarget {
        if address.hasPrefix("#") {
            return .page(page, fragment: address.dropFirst().percentDecoded)
        }
        let pieces = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(pieces.first ?? "")
        let fragment = pieces.count > 1 ? pieces[1].percentDecoded : ""
        if let target = target(atURL: path, fragment) { return target }
        if LinkTarget.isElsewhere(address) { return .elsewhere(address) }
        if LinkTarget.hasScheme(address) { return .missing(address) }
        let local = path.prefix { $0 != "?" }.percentDecoded
        if let page = pagesByFile[local] { return .page(page, fragment: fragment) }
        return layout.filesByPath[local].map(LinkTarget.file) ?? .missing(address)
    }

    private func target(_ pages: [String: Int], _ name: String, _ fragment: String) -> LinkTarget? {
        pages[name].map { .page($0, fragment: fragment) }
            ?? (hidden.contains(name) ? .hidden : nil)
    }

    /// The page of an address on the server of the space.
    private func target(atURL path: String, _ fragment: String) -> LinkTarget? {
        for mark in ["pageId=", "/pages/"] {
            guard let start = path.firstRange(of: mark)?.upperBound else { continue }
            let id = path[start...].prefix { $0.isASCII && $0.isNumber }
            if path.contains("/"), let target = target(pagesByID, String(id), fragment) {
                return target
            }
        }
        guard !key.isEmpty, let start = path.firstRange(of: "/display/\(key)/")?.upperBound else {
            return nil
        }
        let title = path[start...].prefix { $0 != "?" }.replacing("+", with: " ").percentDecoded
        return target(pagesByTitle, title.words.lowercased(), fragment)
    }
}

extension StringProtocol {
    /// With `%20` and the like resolved, where they are well-formed.
    var percentDecoded: String {
        String(decoding: PercentEncoding.decodingWhereValid(Array(utf8)), as: UTF8.self)
    }
}
