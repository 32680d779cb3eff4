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
        fill(TextVariables(site: configuration.variables, page: frontMatter.variables))
    }

    /// Puts the values of variables into the texts that lists show; a text of another file never
    /// gets there.
    private mutating func fill(_ variables: TextVariables) {
        guard let location = frontMatter.formLocation else { return }
        let keys: [WritableKeyPath<FrontMatter, String?>] = [\.title, \.linkTitle, \.description]
        for key in keys {
            guard let text = frontMatter[keyPath: key] else { continue }
            let filled = variables.filled(text)
            let isShort = filled.utf8.count <= max(1000, text.utf8.count)
            if isShort { frontMatter[keyPath: key] = filled }
            guard variables.leaves(in: text) || !isShort else { continue }
            let problem = isShort ? "names no variable" : "becomes longer than 1000 bytes"
            let message = "'{{ … }}' in the title or the description \(problem); readers see it"
            diagnostics.append(
                Diagnostic(.unknownConstruct, message, at: location, subject: "title")
            )
        }
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
