import Diagnostics
import POSIX

/// Builds a site and its access policy from a folder of Markdown and a folder of templates.
public enum SiteBuild {
    /// Builds the site of a `sitegen.toml`, or of a plain folder of pages.
    ///
    /// - Parameter configurationPath: of `sitegen.toml`, as shown in diagnostics; `nil` for the
    ///   usual file, which need not exist.
    public static func run(configurationPath: String?, _ options: BuildOptions) async -> Outcome {
        await ConcurrencyLimit.$count.withValue(options.checks.jobs ?? ConcurrencyLimit.count) {
            // Some files for each core, and for subprocesses: starting a process without free
            // descriptors ends or hangs this program.
            guard Host.mayOpen(40 + 4 * ConcurrencyLimit.count) else {
                return .failed("the limit of open files is too low; 'ulimit -n 1024' raises it")
            }
            let (folders, diagnostics) = SiteFolders.find(configurationPath, options)
            guard let folders else {
                return Outcome(diagnostics: diagnostics.named(.configuration).sorted())
            }
            let overlap = OverlappingFolders.diagnostics(
                source: folders.source,
                output: folders.output,
                base: folders.base
            )
            if !overlap.isEmpty { return Outcome(diagnostics: overlap) }
            guard options.checks.publishes else { return await run(folders, options).outcome }
            do {
                guard let lock = try await OutputLock.take(folders.output, options) else {
                    return .failed(
                        "another build publishes to '\(folders.output)'; '--wait' sets how long to wait for it"
                    )
                }
                // Read again, because the configuration may have changed while waiting for the
                // lock.
                let (current, diagnostics) = SiteFolders.find(configurationPath, options)
                guard let current else {
                    return Outcome(diagnostics: diagnostics.named(.configuration).sorted())
                }
                guard current.output == folders.output else {
                    return .failed(
                        "'output' in sitegen.toml changed while the build began; build again"
                    )
                }
                var (outcome, writer) = await run(current, options)
                _ = consume lock
                if options.isForServer { outcome.reportPermissions(current) }
                if let writer { outcome.report(await writer.cleanUp(), current) }
                return outcome
            } catch {
                return .failed("\(error)")
            }
        }
    }

    /// Reads and checks a site without publishing it.
    ///
    /// - Returns: no site if it has an error.
    static func check(
        configurationPath: String?,
        _ options: BuildOptions
    ) async -> (site: PreviewSite?, outcome: Outcome) {
        let (folders, diagnostics) = SiteFolders.find(configurationPath, options)
        guard let folders else {
            return (nil, Outcome(diagnostics: diagnostics.named(.configuration).sorted()))
        }
        let site = await PreviewSite(folders, options)
        let outcome = await site.check()
        return (outcome.hasErrors ? nil : site, outcome)
    }

    /// The stages, one after the other.
    ///
    /// - Returns: also what has to be cleaned up after the lock is given back.
    private static func run(
        _ folders: SiteFolders,
        _ options: BuildOptions
    ) async -> (outcome: Outcome, writer: ReleaseWriter?) {
        let bodies = options.checks.publishes ? PageBodies(in: folders.output) : nil
        let sources = SiteSources(folders, options)
        let tools = CodeTools(folders, options, scratch: bodies == nil ? nil : folders.output)
        let outlines = await PageOutlines(sources, options, bodies, tools)
        let model = SiteModel(sources, outlines.pages)
        let look = SiteLook(sources)
        let resolver = model.resolver(sources, await ImageSizes(model.site), options)
        let check = await SiteCheck(sources, outlines, model, look, resolver, options)
        await tools.finish()
        tools.save(mayForget: true)
        var outcome = outcome(sources, outlines, model, check.diagnostics + tools.diagnostics, options)
        guard let bodies, !outcome.hasErrors else { return (outcome, nil) }
        let release = SiteRelease(folders, model, look, check, options, bodies, tools)
        let writer = await release.publish(&outcome)
        return (outcome, writer)
    }

    /// The outcome of a build that has not published anything yet.
    ///
    /// - Parameter found: all findings.
    static func outcome(
        _ sources: SiteSources,
        _ outlines: PageOutlines,
        _ model: SiteModel,
        _ found: [Diagnostic],
        _ options: BuildOptions
    ) -> Outcome {
        let filter = DiagnosticFilter(
            settings: sources.folders.configuration.checks,
            options: options.checks,
            folder: sources.folders.base
        )
        var outcome = Outcome(outlines, model)
        (outcome.diagnostics, outcome.suppressed) = filter.apply(found)
        return outcome
    }
}
