import Access
import Diagnostics
import POSIX
import Releases
import Rendering
import Site

/// The last stage: renders, writes and frees each page by itself, then publishes the release.
struct SiteRelease: Sendable {
    private let folders: SiteFolders
    private let model: SiteModel
    private let listings: SiteListings
    private let theme: Theme
    private let resolutions: [LinkResolver.Resolution]
    private let renderer: PageRenderer
    private let pageFiles: PageFiles
    private let options: BuildOptions
    private let compression: Compression?

    init(_ site: LoadedSite, _ check: SiteCheck, _ bodies: PageBodies, _ tools: CodeTools) {
        folders = site.folders
        model = site.model
        listings = site.listings
        theme = site.look.theme
        resolutions = check.resolutions
        renderer = PageRenderer(model, listings, site.look)
        pageFiles = PageFiles(renderer: renderer, bodies: bodies, tools: tools)
        options = site.options
        compression = Compression(model, listings, options)
    }

    /// Writes the release, and makes it the current one.
    ///
    /// - Returns: what has to be cleaned up after the lock is given back.
    func publish(_ outcome: inout BuildOutcome) async -> ReleaseWriter? {
        let configuration = folders.configuration
        do throws(SystemError) {
            let writer = try ReleaseWriter(
                output: folders.output,
                syncs: configuration.syncs && options.syncs
            )
            do throws(SystemError) {
                try await writeOthers(writer, try await writePages(writer))
                let unchanged = writer.unchanged
                let failures =
                    unchanged == nil
                    ? try writer.finish(keeping: configuration.releasesKept)
                    : try await writer.keepCurrent()
                outcome.report(failures, folders)
                outcome.isUnchanged = unchanged != nil
                outcome.release = unchanged ?? writer.number
                outcome.output = folders.output
                outcome.files = writer.counts
                return writer
            } catch {
                await writer.discard()
                throw error
            }
        } catch {
            outcome.diagnostics.append(Diagnostic(.error, "\(error)", at: nil))
            return nil
        }
    }

    /// Writes the files of the pages, audience by audience, since the navigation of each takes
    /// memory.
    private func writePages(_ writer: ReleaseWriter) async throws(SystemError) -> [PageText] {
        let pages = model.site.pages
        let work = options.checks.progress.counting(.rendering, of: pages.count) {
            (index: Int) in Result { () throws(SystemError) in try writePage(index, writer) }
        }
        let results = await pages.indices.concurrentMap(
            sortedBy: { "\(model.access.audience(of: pages[$0].url))" },
            work
        )
        var texts: [PageText] = []
        texts.reserveCapacity(pages.count)
        for result in results { texts.append(try result.get()) }
        return texts
    }

    private func writePage(
        _ index: Int,
        _ writer: ReleaseWriter
    ) throws(SystemError) -> PageText {
        let page = model.site.pages[index]
        let file = try pageFiles.file(of: page, page, urls: resolutions[index].urls)
        try write(file.bytes, to: page.outputPath, writer)
        if let markdown = file.markdown {
            try write(markdown, to: "site\(page.markdownURL)", writer)
        }
        return file.text
    }

    /// Writes the files that are no pages.
    private func writeOthers(
        _ writer: ReleaseWriter,
        _ texts: [PageText]
    ) async throws(SystemError) {
        let search = try await SearchIndex(model.site, model.access, model.navigation, texts)
        let files = SiteFiles(model, listings, theme, search).all
        let work = options.checks.progress.counting(.publishing, of: files.count) {
            (index: Int) in
            Result { () throws(SystemError) in
                let bytes = try files[index].bytes(renderer, search.folders)
                try write(bytes, to: files[index].path, writer)
            }
        }
        let kinds = files.map { file in file.readers.map { "\($0)" } ?? "" }
        for result in await files.indices.concurrentMap(sortedBy: { kinds[$0] }, work) {
            try result.get()
        }
    }

    private func write(
        _ bytes: [UInt8],
        to path: String,
        _ writer: ReleaseWriter
    ) throws(SystemError) {
        try writer.write(bytes, to: path, isCompressed: compression?.covers(path) ?? false)
    }
}
