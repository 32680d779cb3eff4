import Access
import Diagnostics
import Rules
import Site
import SourceFolder

/// A generated file: a list, a redirect, a feed.
package struct GeneratedFile: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        /// A page of a list.
        case list(PagedList, page: Int)
        /// A page with a title and a list, in a template.
        case page(title: String, [UInt8], template: String)
        /// The Markdown of a page, which is written with the page.
        case markdown
        /// A redirect page.
        case redirect(to: String)
        /// A text with the folders of the search indexes, which are known when all pages are made.
        case manifest(@Sendable (_ searchFolders: [Audience: [String]]) -> [UInt8])
    }

    /// The URL, which ends with `/` for a page.
    package let url: String
    /// The readers for whom the content was chosen.
    let readers: Audience
    /// The name of the file in diagnostics.
    let name: String
    /// The location of the key that asks for the file, if there is one.
    let location: SourceLocation?
    let content: Content

    init(
        url: String,
        readers: Audience,
        name: String,
        location: SourceLocation? = nil,
        _ content: Content
    ) {
        self.url = url
        self.readers = readers
        self.name = name
        self.location = location
        self.content = content
    }

    var isMarkdown: Bool { if case .markdown = content { true } else { false } }

    /// The path in the folder `site` of the release.
    package var path: String { url.hasSuffix("/") ? url + "index.html" : url }
}

/// Reports generated files whose path another file has, or whose URL has other readers than the
/// content was chosen for.
struct GeneratedFileCheck {
    private(set) var diagnostics: [Diagnostic] = []
    private let source: SourceLocation

    /// - Parameter source: the source folder, as the location of findings without another one.
    init(_ files: [GeneratedFile], _ site: Site, _ access: PageAccess, source: String) {
        self.source = SourceLocation(withoutLines: source)
        var writers: [String: String] = [:]
        for file in files {
            let output = file.path.dropFirst()
            if let author = site.author(ofOutput: file.path.lowercased()) {
                if let location = file.location {
                    report("\(file.name) is the URL of '\(author.displayPath)'", location)
                } else {
                    let location = SourceLocation(author.displayPath)
                    report("writes '\(output)', which \(file.name) also writes", location)
                }
            }
            if let other = writers.updateValue(file.name, forKey: file.path.lowercased()) {
                report("\(file.name) writes '\(output)', which \(other) also writes", file.location)
            }
            // The policy's rules are prefixes: the rule of a page or an alias may apply to more
            // URLs than its author had in mind.
            let judged = access.audience(of: file.url)
            // Without a policy everything is closed, and the reason is reported elsewhere.
            if judged != file.readers, !access.policy.rules.isEmpty {
                let message =
                    "\(file.name) is generated for '\(file.readers)', but '\(file.url)' is for '\(judged)'"
                report(message, file.location)
            }
        }
    }

    private mutating func report(_ message: String, _ location: SourceLocation?) {
        diagnostics.append(Diagnostic(.duplicateOutput, message, at: location ?? source))
    }
}
