import Access
import Diagnostics
import Markdown
import POSIX

/// A build in which at most the texts of some pages are new, in place of the stages after the first.
///
/// If the rest of the site takes nothing new from the changed pages (see
/// ``PageContent/interface``), then addresses, readers, navigation, lists and findings are those of
/// the previous build. The new release has the files of the previous one, with new texts between the
/// old frames of the changed pages, and new search indexes. Whatever is in doubt is left to the
/// other stages, whose result is the same.
struct TextUpdate: Sendable {
    private struct ChangedPage: Sendable {
        /// The position in the index.
        let position: Int
        let content: PageContent
    }

    private let sources: SiteSources
    private let options: BuildOptions
    private let cache: BuildCache
    private let bodies: PageBodies
    /// The index of the previous build, with the new states of the sources.
    private let index: BuildIndex
    private let changed: [ChangedPage]
    /// Whether the index differs from the previous one.
    private let isNew: Bool

    /// - Returns: `nil` if more than the texts of pages may have changed.
    init?(
        _ sources: SiteSources,
        _ options: BuildOptions,
        _ cache: BuildCache,
        _ bodies: PageBodies
    ) async {
        guard options.checks.publishes, let previous = cache.previous, cache.hasOutputs,
            previous.days.contains(options.now), !previous.site.isEmpty,
            sources.tree.diagnostics.isEmpty, sources.templates.diagnostics.isEmpty,
            previous.pages.count(where: { $0.output != nil }) == previous.outcome.pages,
            let listed = sources.tree.sources, listed.count == previous.sources.count,
            SiteDigest.bytes(sources, options, cache, cache.tools) == previous.site
        else { return nil }
        var positions: [Int] = []
        var isNew = false
        // The index lists pages in the order of the sources. A page that could not be rendered is
        // missing there, and then the other stages are needed.
        var page = 0
        for (old, new) in zip(previous.sources, listed) {
            guard old.kind == new.kind, old.path == new.path else { return nil }
            let position = page
            if new.kind == .page, new.path != Summary.path {
                guard page < previous.pages.count, previous.pages[page].path == new.path else {
                    return nil
                }
                page += 1
            }
            let isRacy = old.state.changed > previous.listed - SourceState.granularity
            if old.state == new.state, !isRacy { continue }
            if old.state != new.state { isNew = true }
            // A file that is no page has no digest to compare.
            guard new.kind == .page, new.path != Summary.path else { return nil }
            positions.append(position)
        }
        let files = sources.pages
        guard page == previous.pages.count, files.count == page, positions.count <= 1000 else {
            return nil
        }
        let configuration = sources.folders.configuration
        let fresh = cache.withoutOutlines
        let contents = await positions.concurrentMap { position in
            PageContent(reading: files[position], configuration, options, fresh, bodies, nil)
        }
        var changed: [ChangedPage] = []
        for (position, content) in zip(positions, contents) {
            let entry = previous.pages[position]
            if content.key[...] == entry.key, content.matter[...] == entry.matter { continue }
            // A draft is in no release, but its front matter may concern others.
            guard !content.interface.isEmpty, content.interface[...] == entry.interface,
                let output = entry.output, !output.text.isEmpty, !output.key.isEmpty
            else { return nil }
            changed.append(ChangedPage(position: position, content: content))
        }
        // A finding in a changed page may move to another line.
        let paths = Set(changed.map(\.content.file.displayPath))
        let located = previous.outcome.diagnostics.flatMap { finding in
            [finding.location] + finding.notes.map(\.location)
        }
        if located.contains(where: { $0.map { paths.contains($0.path) } ?? false }) { return nil }
        var index = previous
        index.sources = listed
        index.listed = sources.listed
        self.index = index
        self.sources = sources
        self.options = options
        self.cache = cache
        self.bodies = bodies
        self.changed = changed
        self.isNew = isNew
    }

    /// Publishes the release; if nothing has changed, the current release stays.
    ///
    /// - Returns: `nil` if the other stages are needed after all.
    func publish() async -> (outcome: SiteBuild.Outcome, writer: ReleaseWriter?)? {
        let folders = sources.folders
        let released = index.pages.compactMap { $0.output?.file } + index.files
        var outcome = index.outcome
        outcome.output = folders.output
        do throws(SystemError) {
            if changed.isEmpty {
                let number = index.release
                // A release that was not synced does not become so by waiting.
                if folders.configuration.syncs, options.syncs, !index.isSynced { return nil }
                guard await ReleaseWriter.isWhole(number, released, folders.output) else {
                    return nil
                }
                if isNew { cache.write(index) }
                outcome.report(try ReleaseWriter.tidy(number, released, folders.output), folders)
                outcome.release = index.release
                outcome.isUnchanged = true
                outcome.counts = BuildCounts(
                    parsed: 0,
                    rendered: 0,
                    reused: outcome.pages,
                    linked: released.count,
                    written: 0
                )
                return (outcome, nil)
            }
            let syncs = folders.configuration.syncs && options.syncs
            let writer = try ReleaseWriter(output: folders.output, syncs: syncs)
            do throws(SystemError) {
                var index = index
                guard let written = try await write(to: writer, released, &index) else {
                    await writer.discard()
                    return nil
                }
                let failures = try writer.finish(keeping: folders.configuration.releasesKept)
                index.release = writer.number
                index.isSynced = syncs
                cache.write(index)
                outcome.report(failures, folders)
                outcome.release = writer.number
                outcome.counts = BuildCounts(
                    parsed: changed.count,
                    rendered: changed.count,
                    reused: outcome.pages - changed.count,
                    linked: released.count - written,
                    written: written
                )
                return (outcome, writer)
            } catch {
                // A file of the release is not what it was, or the disk is full: the other stages
                // write what is missing, or say why not.
                await writer.discard()
                return nil
            }
        } catch {
            return nil
        }
    }

    /// - Returns: the number of files that are not those of the previous release; `nil` if the
    ///   other stages are needed.
    private func write(
        to writer: ReleaseWriter,
        _ released: [ReleasedFile],
        _ index: inout BuildIndex
    ) async throws(SystemError) -> Int? {
        guard let pages = await rendered(), let previous = cache.previousRelease else { return nil }
        var replaced = Set(pages.map(\.path))
        var entries = index.pages
        for (page, file) in zip(changed, pages) {
            guard let records = page.content.records, let key = file.key else { return nil }
            entries[page.position].key = page.content.key[...]
            entries[page.position].records = records
            entries[page.position].output?.key = key[...]
            entries[page.position].output?.text = file.text ?? 0..<0
        }
        index.pages = entries
        let search = SearchUpdate(
            index,
            cache,
            changed: Set(changed.map { $0.content.url }),
            release: previous
        )
        // The rest is linked while the indexes are made.
        let held = Set(index.manifests + released.map(\.path).filter(SearchUpdate.isIndex))
        let texts = replaced
        async let linking: Void = writer.linkAll(released, except: held.union(texts))
        let made = await search.files(replacing: &replaced)
        do { try await linking } catch let error as SystemError { throw error } catch {
            return nil
        }
        guard let others = made else { return nil }
        try await writer.linkAll(
            released.filter { held.contains($0.path) },
            except: replaced
        )
        var files: [ReleasedFile] = []
        for file in pages + others { files.append(try writer.write(file).file) }
        for (page, file) in zip(changed, files) {
            index.pages[page.position].output?.file = file
        }
        index.files = index.files.filter { !replaced.contains($0.path) }
        index.files += files.dropFirst(pages.count)
        index.runs = search.runs(after: replaced)
        return files.count
    }

    /// The files of the changed pages: new texts in old frames.
    private func rendered() async -> [Publication.File]? {
        guard let previous = cache.previousRelease, let root = try? OpenFolder(previous) else {
            return nil
        }
        let configuration = sources.folders.configuration
        var documents: [RenderedDocument] = []
        for page in changed {
            var document = page.content.document
            if let body = page.content.body {
                guard let html = try? bodies.html(body) else { return nil }
                document = document.with(html: html)
            } else {
                let file = page.content
                guard let parsed = file.parsedAgain(configuration, cache.identity) else {
                    return nil
                }
                document = parsed
            }
            documents.append(document)
        }
        let tools = CodeTools(sources.folders, options)
        for (page, document) in zip(changed, documents) {
            tools.add(document, location: page.content.location)
        }
        await tools.finish()
        // Saved first: the other stages need not ask again.
        tools.save(mayForget: false)
        guard tools.diagnostics.isEmpty, tools.identities(or: cache.tools) == cache.tools else {
            return nil
        }
        var files: [Publication.File] = []
        for (number, page) in changed.enumerated() {
            guard let output = index.pages[page.position].output,
                let urls = cache.urls(output.urls),
                urls.count == documents[number].references.count,
                // Somebody may have changed the frame by hand.
                (try? FileStatus(of: "\(previous)/\(output.file.path)"))?.identity
                    == output.file.identity,
                let old = try? root.read(output.file.path), output.text.upperBound <= old.count
            else { return nil }
            var content = documents[number].filled(
                with: urls,
                code: tools.code(for: documents[number]).map { $0?.html }
            )
            if output.titleLevel > 0 {
                OpeningHeading.promote(&content, from: output.titleLevel)
            }
            guard !content.isEmpty else { return nil }
            let start = output.text.lowerBound
            let bytes = old[..<start] + content + old[output.text.upperBound...]
            files.append(
                Publication.File(
                    path: output.file.path,
                    content: .bytes(Array(bytes)),
                    key: RenderJob.key(
                        Array(output.frame),
                        page.content.key,
                        CodeTool.needed(by: documents[number], configuration),
                        cache.tools
                    ),
                    isCompressed: output.isCompressed,
                    text: start..<start + content.count
                )
            )
        }
        return files
    }
}
