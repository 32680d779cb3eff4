import Diagnostics
import POSIX
import Rules
import SourceFolder

/// The second stage: front matter and outline of each page.
///
/// What other pages need of a page stays in memory; its HTML goes to `bodies`.
package struct PageOutlines: Sendable {
    package let pages: [Page]
    /// Findings that are about no single page.
    package private(set) var diagnostics: [Diagnostic] = []

    /// When the files were listed, in nanoseconds since 1970.
    private let listed: Int

    /// Reads the pages, and asks git at the same time for the dates of their last changes.
    ///
    /// - Parameters:
    ///   - known: of the same site with the same configuration; files that have not changed since
    ///     are not read.
    ///   - taker: takes the HTML of each page; `nil` if nobody needs it.
    package init(
        _ sources: SiteSources,
        _ options: BuildOptions,
        after known: PageOutlines? = nil,
        _ taker: PageBody.Taker? = nil
    ) async {
        let configuration = sources.folders.configuration
        listed = sources.listed
        let knownPages = known?.unchanged ?? [:]
        let paths = options.asksGit ? sources.pages.map(\.path) : []
        async let answer = GitHistory().lastChanges(in: sources.folders.source, of: paths)
        let read = await sources.pages.concurrentMap(
            options.checks.progress.counting(.reading, of: sources.pages.count) { file in
                knownPages[file.path].flatMap { page in
                    page.file.state == file.state
                        && page.file.isBesideIndex == file.isBesideIndex
                        && page.includesSame(sources.includable)
                        ? page.again(configuration, options) : nil
                } ?? Page(reading: file, configuration, options, sources.includable, taker)
            }
        )
        let git = await answer
        pages = read.map { page in
            var page = page
            if page.updated == nil, let change = git.changes[page.file.path] {
                page.updated = try? PageDate.parse(change.date).get()
                page.author = configuration.showsAuthors ? change.author : nil
            }
            page = sources.outline?.labelled(page) ?? page
            if page.unpublishedReason == nil, sources.leavesOut(page) {
                page.unpublishedReason = .unnamed
            }
            return page
        }
        if let problem = git.problem {
            let message = "pages have no date of the last change: \(problem)"
            diagnostics.append(Diagnostic(.noGitHistory, message, at: nil))
        }
    }

    /// The pages that need not be read again if their files are what they were, by path.
    ///
    /// A file that is changed right after it was looked at may keep its state.
    private var unchanged: [String: Page] {
        let trusted = pages.filter { $0.isClosed(at: listed) }
        return Dictionary(
            trusted.map { ($0.file.path, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
