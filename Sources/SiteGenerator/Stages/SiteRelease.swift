import Access
import Diagnostics
import Markdown
import POSIX

/// The last stage: renders, writes and frees one page after the other, then publishes the release.
struct SiteRelease: Sendable {
    private let folders: SiteFolders
    private let model: SiteModel
    private let check: SiteCheck
    private let renderer: PageRenderer
    private let bodies: PageBodies
    private let options: BuildOptions
    private let tools: CodeTools
    private let compression: Compression?

    init(
        _ folders: SiteFolders,
        _ model: SiteModel,
        _ check: SiteCheck,
        _ options: BuildOptions,
        _ bodies: PageBodies,
        _ tools: CodeTools
    ) {
        self.folders = folders
        self.model = model
        self.check = check
        renderer = PageRenderer(model, check.templates, check.theme)
        self.bodies = bodies
        self.options = options
        self.tools = tools
        compression = Compression(model, options)
    }

    /// Writes the release, and makes it the current one.
    ///
    /// - Returns: what has to be cleaned up after the lock is given back.
    func publish(_ outcome: inout SiteBuild.Outcome) async -> ReleaseWriter? {
        let configuration = folders.configuration
        do throws(SystemError) {
            let writer = try ReleaseWriter(
                output: folders.output,
                syncs: configuration.syncs && options.syncs
            )
            do throws(SystemError) {
                let texts = try await writePages(writer)
                try await writeOthers(writer, texts)
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
    ///
    /// - Returns: the range of each page's text in its file.
    private func writePages(_ writer: ReleaseWriter) async throws(SystemError) -> [Range<Int>] {
        let pages = model.site.pages
        let write = options.checks.progress.counting(.rendering, of: pages.count) { index in
            Result { () throws(SystemError) in
                let page = try page(index)
                try self.write(
                    OutputFile(path: pages[index].outputPath, content: .bytes(page.bytes)),
                    writer
                )
                return page.text ?? 0..<0
            }
        }
        let results = await pages.indices.concurrentMap(
            sortedBy: { "\(model.access.audience(of: pages[$0].url))" },
            write
        )
        var texts: [Range<Int>] = []
        texts.reserveCapacity(pages.count)
        for result in results { texts.append(try result.get()) }
        return texts
    }

    private func page(_ index: Int) throws(SystemError) -> (bytes: [UInt8], text: Range<Int>?) {
        let page = model.site.pages[index]
        guard let body = page.body else {
            throw SystemError("read", page.file.displayPath, number: 5)
        }
        let document = page.document.with(html: try bodies.html(body))
        return renderer.page(
            page,
            document,
            urls: check.resolutions[index].urls,
            code: tools.code(for: document)
        )
    }

    /// Writes the files that are no pages.
    private func writeOthers(
        _ writer: ReleaseWriter,
        _ texts: [Range<Int>]
    ) async throws(SystemError) {
        let search = try await SearchIndex(
            model.site,
            model.access,
            model.navigation,
            texts: texts,
            bodies
        )
        let renderer = renderer.with(searchFolders: search.folders)
        let ready = fixedFiles + check.theme.files + search.files
        let generated = model.generated
        let total = ready.count + generated.count
        let write = options.checks.progress.counting(.publishing, of: total) { index in
            Result { () throws(SystemError) in
                try self.write(
                    index < ready.count
                    ? ready[index] : generated[index - ready.count].file(renderer),
                    writer
                )
            }
        }
        let kinds = generated.map { "\($0.readers)" }
        let results = await (0..<total).concurrentMap(
            sortedBy: { $0 < ready.count ? "" : kinds[$0 - ready.count] },
            write
        )
        for result in results { try result.get() }
    }

    private func write(_ file: OutputFile, _ writer: ReleaseWriter) throws(SystemError) {
        try writer.write(file, isCompressed: compression?.covers(file.path) ?? false)
    }

    /// The templates that every site has, with the paths of their files.
    static let fixedTemplates = [
        ("auth", "auth/page.html"), ("404", "errors/404.html"), ("forbidden", "errors/403.html"),
        ("502", "errors/502.html"), ("503", "errors/503.html"),
    ]

    private var fixedFiles: [OutputFile] {
        let access = model.access
        let texts = [
            ("access", access.policy.text), ("redirects.map", model.redirects.map(access)),
            (ReaderTexts.path, ReaderTexts.json(model.site.configuration)),
        ].map { OutputFile(path: $0, content: .bytes(Array($1.utf8))) }
        let assets = model.site.assets.map { url, file in
            OutputFile(path: "site\(url)", content: .copy(file))
        }
        return texts + assets
            + Self.fixedTemplates.map { name, path in
                OutputFile(path: path, content: .bytes(renderer.plain(name)))
            }
    }
}
