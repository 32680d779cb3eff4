import Access
import Diagnostics

/// A file of the site that no author wrote: a list, a redirect, a feed.
struct GeneratedFile: Sendable {
    /// As the browser asks for it; a page's ends with `/`.
    let url: String
    /// Whom its content was chosen for.
    let readers: Audience
    /// What it is, for diagnostics.
    let name: String
    /// Where somebody asked for it.
    let location: SourceLocation?
    let render: @Sendable (PageRenderer) -> [UInt8]

    init(
        url: String,
        readers: Audience,
        name: String,
        location: SourceLocation? = nil,
        render: @escaping @Sendable (PageRenderer) -> [UInt8]
    ) {
        self.url = url
        self.readers = readers
        self.name = name
        self.location = location
        self.render = render
    }

    /// Below `site`.
    var path: String { url.hasSuffix("/") ? url + "index.html" : url }
}

/// Refuses generated files that stand where another file does, and such that others would get to
/// read than their content was chosen for.
struct GeneratedFileCheck {
    private(set) var diagnostics: [Diagnostic] = []
    private let source: SourceLocation

    /// - Parameter source: the folder of the pages, where a file has no place of its own.
    init(_ files: [GeneratedFile], _ site: Site, _ access: PageAccess, source: String) {
        self.source = SourceLocation(withoutLines: source)
        let authors = site.authorsOutputs
        var writers: [String: String] = [:]
        for file in files {
            let output = file.path.dropFirst()
            if let author = authors[file.path.lowercased()] {
                let location = file.location ?? SourceLocation(author.displayPath)
                let other = file.location == nil ? file.name : "'\(author.displayPath)'"
                report("writes '\(output)', which \(other) also writes", location)
            }
            if let other = writers.updateValue(file.name, forKey: file.path.lowercased()) {
                report("\(file.name) writes '\(output)', which \(other) also writes", file.location)
            }
            // The rules of the policy are prefixes: a page or an alias may speak for more URLs
            // than its author had in mind.
            let judged = access.audience(of: file.url)
            // Without a policy everything is closed, and why is told elsewhere.
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
