import Diagnostics
import POSIX
import Releases
import Rendering
import Rules
import Site
import SourceFolder

/// Builds a site and its access policy from a folder of Markdown and a folder of templates.
public enum SiteBuild {
    /// Builds the site of a `sitegen.toml`, or of a plain folder of pages.
    ///
    /// - Parameter configurationPath: of `sitegen.toml`, as shown in diagnostics; `nil` for the
    ///   usual file, which need not exist.
    public static func run(configurationPath: String?, _ options: BuildOptions) async
        -> BuildOutcome
    {
        guard options.checks.publishes else {
            return await check(configurationPath: configurationPath, options).outcome
        }
        return await withLimits(options) {
            let (folders, diagnostics) = folders(configurationPath, options)
            guard let folders else { return BuildOutcome(diagnostics: diagnostics) }
            do {
                guard
                    let lock = try await OutputLock.take(
                        folders.output,
                        secondsToWait: options.secondsToWait,
                        tellWait: options.tellWait
                    )
                else {
                    return .failed(
                        "another build publishes to '\(folders.output)'; '--wait' sets how long to wait for it"
                    )
                }
                // Read again, because the configuration may have changed while waiting for the
                // lock.
                let (current, diagnostics) = self.folders(configurationPath, options)
                guard let current else { return BuildOutcome(diagnostics: diagnostics) }
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
        } ?? tooFewFiles
    }

    /// Does the work on as many cores as the options say.
    ///
    /// - Returns: `nil` if this process may not open enough files.
    static func withLimits<Value>(
        _ options: BuildOptions,
        _ work: () async -> Value
    ) async -> Value? {
        await ConcurrencyLimit.$count.withValue(options.checks.jobs ?? ConcurrencyLimit.count) {
            // Some files for each core, and for subprocesses: starting a process without free
            // descriptors ends or hangs this program.
            Host.mayOpen(40 + 4 * ConcurrencyLimit.count) ? await work() : nil
        }
    }

    static let tooFewFiles = BuildOutcome.failed(
        "the limit of open files is too low; 'ulimit -n 1024' raises it"
    )

    /// Reads and checks a site without publishing it.
    ///
    /// - Returns: no site if it has an error.
    static func check(
        configurationPath: String?,
        _ options: BuildOptions
    ) async -> (site: LoadedSite?, outcome: BuildOutcome) {
        await load(configurationPath: configurationPath, options) { await $0.check() }
    }

    /// Reads a site.
    ///
    /// - Parameter judge: finds its mistakes.
    /// - Returns: no site if it has an error.
    static func load(
        configurationPath: String?,
        _ options: BuildOptions,
        _ judge: (LoadedSite) async -> BuildOutcome
    ) async -> (site: LoadedSite?, outcome: BuildOutcome) {
        var site: LoadedSite?
        let outcome =
            await withLimits(options) {
                let (folders, diagnostics) = folders(configurationPath, options)
                guard let folders else { return BuildOutcome(diagnostics: diagnostics) }
                let read = await LoadedSite(folders, options)
                site = read
                return await judge(read)
            } ?? tooFewFiles
        return (outcome.hasErrors ? nil : site, outcome)
    }

    /// - Returns: `nil` and the errors if they are not known, or overlap.
    private static func folders(
        _ configurationPath: String?,
        _ options: BuildOptions
    ) -> (folders: SiteFolders?, diagnostics: [Diagnostic]) {
        let (folders, diagnostics) = SiteFolders.find(configurationPath, options)
        guard let folders else { return (nil, diagnostics.named(.configuration).sorted()) }
        let overlap = OverlappingFolders.diagnostics(
            source: folders.source,
            output: folders.output,
            base: folders.base
        )
        return overlap.isEmpty ? (folders, []) : (nil, overlap)
    }

    /// The stages, one after the other.
    ///
    /// - Returns: also what has to be cleaned up after the lock is given back.
    private static func run(
        _ folders: SiteFolders,
        _ options: BuildOptions
    ) async -> (outcome: BuildOutcome, writer: ReleaseWriter?) {
        let bodies = PageBodies(in: folders.output)
        let tools = CodeTools(folders, options, scratch: folders.output)
        let site = await LoadedSite(folders, options) { document, isPublished, location in
            if isPublished { tools.add(document, location: location) }
            return bodies.take(&document, countsWords: folders.configuration.search)
        }
        var (check, outcome) = await site.checked(tools, mayForget: true)
        if outcome.hasErrors { return (outcome, nil) }
        let release = SiteRelease(site, check, bodies, tools)
        let writer = await release.publish(&outcome)
        return (outcome, writer)
    }
}
