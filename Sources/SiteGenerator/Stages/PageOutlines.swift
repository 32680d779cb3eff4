import Diagnostics

/// The second stage: front matter and outline of each page.
///
/// What other pages need of a page stays in memory; its HTML goes to `bodies`.
struct PageOutlines: Sendable {
    let pages: [Page]
    /// Findings that are about no single page.
    private(set) var diagnostics: [Diagnostic] = []

    /// Reads the pages, and asks git at the same time for the dates of their last changes.
    init(
        _ sources: SiteSources,
        _ options: BuildOptions,
        _ bodies: PageBodies? = nil,
        _ tools: CodeTools? = nil
    ) async {
        let configuration = sources.folders.configuration
        let paths = options.asksGit ? sources.pages.map(\.path) : []
        async let answer = GitHistory().lastChanges(in: sources.folders.source, of: paths)
        let read = await sources.pages.concurrentMap(
            options.checks.progress.counting(.reading, of: sources.pages.count) {
                Page(reading: $0, configuration, options, bodies, tools)
            }
        )
        let git = await answer
        pages = read.map { page in
            var page = page
            if page.updated == nil, let change = git.changes[page.file.path] {
                page.updated = try? PageDate.parse(change.date).get()
                page.author = configuration.showsAuthors ? change.author : nil
            }
            return sources.summary?.labelled(page) ?? page
        }
        if let problem = git.problem {
            let message = "pages have no date of the last change: \(problem)"
            diagnostics.append(Diagnostic(.noGitHistory, message, at: nil))
        }
    }
}
