import Diagnostics
import POSIX
import Rules
import SourceFolder

/// The folders of a site's pages, templates and releases.
package struct SiteFolders: Sendable {
    package private(set) var configuration: SiteConfiguration
    /// The text of `sitegen.toml`.
    package let text: [UInt8]
    /// The folder of `sitegen.toml`, empty or with a slash at its end.
    package let base: String
    /// The source folder.
    package let source: String
    /// The source folder relative to `sitegen.toml`; empty if it is the same folder.
    let sourceName: String
    /// The site's templates folder; `nil` if it does not exist.
    package let templates: String?
    /// The path of the templates folder, whether it exists or not.
    package let templatesName: String
    package let output: String
    /// The output folder of the configuration.
    ///
    /// With `--output`, the releases in it are not part of the source either.
    package let usualOutput: String
    /// What the settings of another tool say.
    package let tool: ToolSettings
    /// Whether the source folder is that of `sitegen.toml` or a repository: its files are not all
    /// meant for readers.
    package let hasOtherFiles: Bool

    package static let usualFile = "sitegen.toml"
    package static let usualSources = ["site", "docs"]

    /// - Parameter path: of `sitegen.toml`; `nil` for the usual file, if it exists.
    package static func find(
        _ path: String?,
        _ options: BuildOptions
    ) -> (folders: SiteFolders?, diagnostics: [Diagnostic]) {
        var configuration = SiteConfiguration()
        var text: [UInt8] = []
        var base = ""
        do {
            let bytes = try File.read(path ?? usualFile)
            text = bytes
            let (read, diagnostics) = SiteConfiguration.parse(bytes, path: path ?? usualFile)
            // A site with unknown groups would only repeat the mistake on every page.
            if !diagnostics.isEmpty { return (nil, diagnostics) }
            configuration = read
            if let url = options.baseURL {
                guard let url = SiteConfiguration.baseURL(url) else {
                    let rule = SiteConfiguration.ruleOfBaseURL(url)
                    let message = "'--base-url' is '\(url)'; \(rule)"
                    return (nil, [Diagnostic(.configuration, message, at: nil)])
                }
                configuration.baseURL = url
            }
            base =
                path.flatMap { path in
                    path.lastIndex(of: "/").map { String(path[...$0]) }
                } ?? ""
        } catch {
            // Without '--config' the file may be missing; a file that is there must be readable.
            if path != nil || !error.isMissingFile {
                let location = SourceLocation(withoutLines: path ?? usualFile)
                return (nil, [Diagnostic(.error, error.reason, at: location)])
            }
        }
        guard let source = source(configuration, base, options) else {
            let names = usualSources.map { "'\($0)'" }.joined(separator: " or ")
            let message = "there is no folder \(names); '--source FOLDER' sets the source folder"
            let note = Diagnostic.Note("'sitegen init FOLDER' creates a site")
            let location = SourceLocation(
                withoutLines: base.isEmpty ? "." : String(base.dropLast())
            )
            return (nil, [Diagnostic(.error, message, at: location, notes: [note])])
        }
        var folders = SiteFolders(configuration, text, base, source, options)
        let (texts, diagnostics) = InterfaceTexts.read(
            configuration.language,
            templates: folders.templates
        )
        let mistakes = diagnostics + folders.tool.diagnostics.named(.configuration)
        if !mistakes.isEmpty { return (nil, mistakes) }
        folders.configuration.use(texts)
        return (folders, [])
    }

    private init(
        _ configuration: SiteConfiguration,
        _ text: [UInt8],
        _ base: String,
        _ source: String,
        _ options: BuildOptions
    ) {
        self.configuration = configuration
        self.text = text
        self.base = base
        self.source = source
        let isBase = source == "." || source + "/" == base
        let name = source.hasPrefix(base) ? String(source.dropFirst(base.count)) : source
        sourceName = isBase ? "" : name
        tool = ToolSettings(configuration.from, in: base, source: sourceName)
        hasOtherFiles = isBase || (try? FileStatus(of: "\(source)/.git")) != nil
        self.configuration.filter.exclude(
            tool.excluded,
            including: tool.included,
            hasOtherFiles: hasOtherFiles
        )
        templatesName = base + (configuration.templates ?? "templates")
        // A templates folder that the configuration names must exist; the usual one need not.
        let isThere = Self.isFolder(templatesName)
        templates = configuration.templates != nil || isThere ? templatesName : nil
        usualOutput = base + configuration.output
        output = options.output ?? usualOutput
    }

    /// The files of the source folder, without templates and releases.
    package var sourceTree: SourceTree {
        SourceTree(
            listing: source,
            displayFolder: source,
            excluding: [output, usualOutput] + (templates.map { [$0] } ?? []),
            configuration.filter
        )
    }

    /// The finding for a site without pages.
    ///
    /// A source folder that is not mounted must not replace a good release with an empty one.
    func emptiness(hasUnpublished: Bool) -> Diagnostic {
        let message = hasUnpublished ? "contains no published page" : "contains no page"
        let note = Diagnostic.Note("'--allow-empty' publishes a site without pages")
        return Diagnostic(.sourceFile, message, at: .init(withoutLines: source), notes: [note])
    }

    /// The path of a cache.
    package func cache(_ name: String) -> String { base + ".sitegen/cache/\(name)" }

    package var templatesTree: SourceTree? {
        templates.map { SourceTree(listing: $0, displayFolder: $0) }
    }

    private static func source(
        _ configuration: SiteConfiguration,
        _ base: String,
        _ options: BuildOptions
    ) -> String? {
        if var source = options.source {
            while source.count > 1, source.hasSuffix("/") { source.removeLast() }
            return source
        }
        if configuration.source == "." { return base.isEmpty ? "." : String(base.dropLast()) }
        if let source = configuration.source { return base + source }
        return usualSources.map { base + $0 }.first(where: isFolder)
    }

    /// The source folder of a configuration without `source`: the first usual folder that exists.
    package static func usualSource(in base: String) -> String {
        usualSources.first { isFolder(base + $0) } ?? usualSources[0]
    }

    private static func isFolder(_ path: String) -> Bool {
        (try? FileStatus(of: path))?.kind == .folder
    }
}
