import Access
import Diagnostics
import Rules
import SourceFolder

/// The file of a page, split and with its front matter read.
struct PageSource {
    let split: FrontMatterSplit
    private(set) var frontMatter = FrontMatter()
    private(set) var diagnostics: [Diagnostic] = []

    /// - Parameter text: of the file, decoded.
    init(
        _ text: [UInt8],
        _ file: SourceTree.File,
        _ configuration: SiteConfiguration,
        _ options: BuildOptions
    ) {
        split = FrontMatterSplit(text)
        guard let matter = split.frontMatter else { return }
        let reader = FrontMatterReader(
            matter,
            split.language,
            path: file.displayPath,
            linesAbove: split.linesAbove,
            groups: configuration.groups.map(\.name),
            ignored: configuration.ignoredKeys,
            isLenient: options.isLenient
        )
        frontMatter = reader.frontMatter
        diagnostics = reader.diagnostics.named(.frontMatter)
    }

    /// What makes the front matter doubtful, if no other finding does.
    ///
    /// - Parameter isSound: whether nothing else about the file stops a build.
    func doubt(
        _ text: [UInt8],
        _ file: SourceTree.File,
        _ configuration: SiteConfiguration,
        isSound: Bool = true
    ) -> [Diagnostic] {
        var found: [Diagnostic] = []
        if let mistake = split.mistake {
            found.append(Diagnostic(.frontMatter, mistake, at: SourceLocation(file.displayPath)))
        }
        if isSound, frontMatter.access == nil, !(diagnostics + found).contains(where: \.isFatal),
            let key = SuspectedAccessKey.find(
                in: text,
                split,
                groups: configuration.groups.map(\.name)
            )
        {
            found.append(key.diagnostic(file.displayPath))
        }
        return found
    }
}
