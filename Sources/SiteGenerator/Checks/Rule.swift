import Diagnostics

/// A kind of finding, with the name that `[checks]` in `sitegen.toml` and every report use.
///
/// The names must not change: people's configurations and baselines contain them.
public enum Rule: String, Sendable, CaseIterable {
    case deadLink = "dead-link"
    case deadAnchor = "dead-anchor"
    case linkOutOfSource = "link-out-of-source"
    case missingAsset = "missing-asset"
    case brokenFile = "broken-file"
    case unsuitableImage = "unsuitable-image"
    case linkToDraft = "link-to-draft"
    case linkToAbsentPage = "link-to-absent-page"
    case linkToRestrictedPage = "link-to-restricted-page"
    case widerFile = "wider-file"
    case openedFolder = "opened-folder"
    case rawHTML = "raw-html"
    case missingAlternativeText = "missing-alternative-text"
    case skippedHeadingLevel = "skipped-heading-level"
    case severalTopHeadings = "several-h1"
    case unusedDefinition = "unused-definition"
    case duplicateID = "duplicate-id"
    case extraCells = "extra-cells"
    case orphanPage = "orphan-page"
    case unknownConstruct = "unknown-construct"
    case replacedOutput = "replaced-output"
    case unknownKey = "unknown-key"
    case deadExternalLink = "dead-external-link"
    case unreachableExternalLink = "unreachable-external-link"
    case movedExternalLink = "moved-external-link"
    case privateExternalLink = "private-external-link"
    case staleBaseline = "stale-baseline"
    case noHighlighter = "no-highlighter"
    case noDrawings = "no-drawings"
    case drawing = "drawing"
    case emptyValue = "empty-value"
    case curlyQuotes = "curly-quotes"
    case unknownTemplate = "unknown-template"
    case folderRule = "folder-rule"
    case emptyLink = "empty-link"
    case unknownScheme = "unknown-scheme"
    case localFileLink = "local-file-link"
    case alias = "alias"
    case uselessSlug = "useless-slug"
    case fileOfDraft = "file-of-draft"
    case ignoredPage = "ignored-page"
    case noGitHistory = "no-git-history"
    case cleanUp = "clean-up"
    case unreadableRelease = "unreadable-release"
    case literalMarks = "literal-marks"

    // The following rules are always errors.
    case dangerousLink = "dangerous-link"
    case duplicateOutput = "duplicate-output"
    case widenedAccess = "widened-access"
    case misspeltAccessKey = "misspelt-access-key"
    case withheldPage = "withheld-page"
    case unreadAccess = "unread-access"
    case frontMatter = "front-matter"
    case sourceFile = "source-file"
    case conflictMarks = "conflict-marks"
    case template = "template"
    case configuration = "configuration"

    public var defaultSeverity: Diagnostic.Severity {
        switch self {
        case .deadLink, .deadAnchor, .linkOutOfSource, .missingAsset, .brokenFile, .linkToDraft,
            .unknownKey, .deadExternalLink, .unknownTemplate, .localFileLink, .drawing, .alias,
            .dangerousLink,
            .duplicateOutput, .widenedAccess, .misspeltAccessKey, .withheldPage, .unreadAccess,
            .frontMatter, .sourceFile, .conflictMarks, .template, .configuration:
            .error
        case .linkToRestrictedPage, .linkToAbsentPage, .widerFile, .openedFolder, .rawHTML,
            .missingAlternativeText, .unsuitableImage,
            .skippedHeadingLevel, .severalTopHeadings, .unusedDefinition, .duplicateID, .extraCells,
            .orphanPage, .unknownConstruct, .replacedOutput, .unreachableExternalLink, .emptyValue,
            .curlyQuotes, .folderRule, .emptyLink, .unknownScheme, .uselessSlug, .fileOfDraft,
            .ignoredPage, .noGitHistory, .cleanUp, .unreadableRelease, .noDrawings, .literalMarks:
            .warning
        case .movedExternalLink, .privateExternalLink, .staleBaseline, .noHighlighter: .note
        }
    }

    /// Why the rule is always an error, or `nil` if `[checks]` may set its level.
    ///
    /// Each of these findings could open a page to the wrong readers, or leaves nothing to build.
    /// No configuration and no baseline lowers them.
    public var reasonToFailClosed: String? {
        switch self {
        case .dangerousLink: "such a link runs a script in the browser of everybody who clicks it"
        case .duplicateOutput: "the access of one file would decide who can read the other"
        case .widenedAccess: "it keeps pages from being opened by mistake"
        case .misspeltAccessKey, .frontMatter, .withheldPage, .unreadAccess:
            "the front matter decides who may read the page"
        case .conflictMarks: "the version that was taken back may not be for these readers"
        case .sourceFile: "a file that cannot be read may decide who may read a page"
        case .template, .configuration: "nothing can be built without it"
        default: nil
        }
    }
}
