import Diagnostics
import Markdown
import POSIX
import Rendering
import Rules
import Site
import SourceFolder

/// A site that was read: its files, pages and rules.
///
/// Nothing of it is rendered.
final class LoadedSite: Sendable {
    let options: BuildOptions
    let sources: SiteSources
    let outlines: PageOutlines
    let model: SiteModel
    let listings: SiteListings
    let look: SiteLook
    let resolver: LinkResolver
    /// The findings that need neither links nor tools; every doubt about who may read what is among
    /// them.
    private let found: [Diagnostic]

    /// Reads a site; of the files only those that have changed.
    ///
    /// - Parameters:
    ///   - known: the site as it was before; `nil` for the first time.
    ///   - taker: takes the HTML of each page; `nil` if nobody needs it.
    init(
        _ folders: SiteFolders,
        _ options: BuildOptions,
        after known: LoadedSite? = nil,
        _ taker: PageBody.Taker? = nil
    ) async {
        self.options = options
        sources = SiteSources(folders)
        let isSame =
            known.map { known in
                known.folders.text == folders.text && known.folders.source == folders.source
            } ?? false
        outlines = await PageOutlines(
            sources,
            options,
            after: isSame ? known?.outlines : nil,
            taker
        )
        let areSame = isSame && known?.sources.assets.map(\.state) == sources.assets.map(\.state)
        var model = SiteModel(sources, outlines.pages)
        var listings = SiteListings(model)
        var resolver = await LinkResolver(
            sources,
            model,
            listings.urls,
            options,
            images: areSame ? known?.resolver.images : nil
        )
        if sources.assets.contains(where: sources.wantsLink) {
            let links = await model.site.pages.concurrentMap(resolver.resolve)
            let linked = Set(links.flatMap(\.files))
            model = SiteModel(sources, outlines.pages, linked: linked)
            listings = SiteListings(model)
            let images = resolver.images
            resolver = await LinkResolver(sources, model, listings.urls, options, images: images)
        }
        (self.model, self.listings, self.resolver) = (model, listings, resolver)
        look = SiteLook(sources, options)
        found =
            model.diagnostics(sources, outlines, options)
            + listings.diagnostics(model, source: folders.source)
            + look.diagnostics(model, folders)
    }

    var folders: SiteFolders { sources.folders }

    /// Whether the site may be shown: no doubt about who may read a page is among the findings.
    ///
    /// What a baseline has is none.
    var isSound: Bool { doubts?.hasErrors != true }

    /// The errors without which the site may be shown; `nil` for none.
    var doubts: BuildOutcome? {
        let errors = found.filter {
            folders.configuration.checks.applied(to: $0)?.severity == .error
        }
        return errors.isEmpty ? nil : BuildOutcome(sources, outlines, model, errors, options)
    }

    /// The resolved links, and all findings.
    ///
    /// - Parameter tools: has the code of the pages; what it made of it is kept unless nothing is
    ///   published.
    func checked(
        _ tools: CodeTools,
        mayForget: Bool
    ) async -> (check: SiteCheck, outcome: BuildOutcome) {
        let check = await SiteCheck(model, resolver, options)
        await tools.finish()
        if options.checks.publishes { tools.save(mayForget: mayForget) }
        let diagnostics = found + check.diagnostics + tools.diagnostics
        return (check, BuildOutcome(sources, outlines, model, diagnostics, options))
    }

    /// Checks a site whose code no tool has seen yet.
    func check() async -> BuildOutcome {
        let tools = CodeTools(folders, options)
        // One block of colours is enough to tell whether the tool is there.
        let firstColoured = model.site.pages.firstIndex { page in
            page.document.codeBlocks.contains { CodeTool(codeBlock: $0.language) == .pygments }
        }
        let wanted = model.site.pages.enumerated().filter { index, page in
            index == firstColoured
                || page.document.codeBlocks.contains {
                    CodeTool(codeBlock: $0.language) != .pygments
                }
        }
        _ = await wanted.map(\.element).concurrentMap { [self] page in
            Page(reading: page.file, folders.configuration, options, sources.includable) {
                document,
                isPublished,
                location in
                if isPublished { tools.add(document, location: location) }
                return nil
            }
        }
        return await checked(tools, mayForget: false).outcome
    }
}
