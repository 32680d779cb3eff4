import Diagnostics

/// A kind of finding, with the name that `[checks]` in `sitegen.toml` and every report use.
///
/// The names must not change: people's configurations and baselines contain them.
public enum Rule: String, Sendable, CaseIterable {
    case deadLink = "dead-link"
    case deadAnchor = "dead-anchor"
    case deadInclude = "dead-include"
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
    case reviewDue = "review-due"
    case unnamedPage = "unnamed-page"
    case navigationFile = "navigation-file"
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
    case ambiguousLink = "ambiguous-link"
    case uselessSlug = "useless-slug"
    case fileOfDraft = "file-of-draft"
    case ignoredPage = "ignored-page"
    case noGitHistory = "no-git-history"
    case cleanUp = "clean-up"
    case unreadableRelease = "unreadable-release"
    case literalMarks = "literal-marks"
    case dangerousLink = "dangerous-link"
    case duplicateOutput = "duplicate-output"
    case widenedAccess = "widened-access"
    case restrictedInclude = "restricted-include"
    case misspeltAccessKey = "misspelt-access-key"
    case withheldPage = "withheld-page"
    case unreadAccess = "unread-access"
    case frontMatterValue = "front-matter-value"
    case frontMatter = "front-matter"
    case sourceFile = "source-file"
    case conflictMarks = "conflict-marks"
    case template = "template"
    case configuration = "configuration"

    public var defaultSeverity: Diagnostic.Severity { row.severity }

    /// One sentence that says what the rule finds.
    public var summary: String { row.summary }

    /// Why the rule is always an error, or `nil` if `[checks]` may set its level.
    ///
    /// Each of these findings could open a page to the wrong readers, or leaves nothing to build.
    /// No configuration and no baseline lowers them.
    public var reasonToFailClosed: String? { row.reason }

    private typealias Row = (severity: Diagnostic.Severity, summary: String, reason: String?)

    private func row(
        _ severity: Diagnostic.Severity,
        _ summary: String,
        closed reason: String? = nil
    ) -> Row {
        (severity, summary, reason)
    }

    private var row: Row {
        switch self {
        case .deadLink: row(.error, "A link points to a page or file that does not exist.")
        case .deadAnchor: row(.error, "A link points to a heading that its page does not have.")
        case .deadInclude:
            row(.error, "An include names a file or a part that does not exist, or is too large.")
        case .linkOutOfSource: row(.error, "A link points outside the source folder.")
        case .missingAsset: row(.error, "A link or an image points to a file that does not exist.")
        case .brokenFile:
            row(.error, "A file is empty, a pointer of Git LFS, or not what its name says.")
        case .unsuitableImage:
            row(.warning, "An image is on another site, is no picture, or has more than 5 MB.")
        case .linkToDraft: row(.error, "A link points to a draft.")
        case .linkToAbsentPage:
            row(.warning, "A link points to a page that is not published yet, or has expired.")
        case .linkToRestrictedPage:
            row(.warning, "A link points to a page that some readers of this page may not open.")
        case .widerFile: row(.warning, "A file beside a page is for more readers than the page.")
        case .openedFolder:
            row(.warning, "The access of a page also applies to the folder below it.")
        case .rawHTML: row(.warning, "HTML in Markdown is removed, or shown as text.")
        case .missingAlternativeText: row(.warning, "An image has no alternative text.")
        case .skippedHeadingLevel:
            row(.warning, "A heading is more than one level below the heading before it.")
        case .severalTopHeadings: row(.warning, "A page has more than one heading of level 1.")
        case .unusedDefinition: row(.warning, "No link uses a reference definition.")
        case .duplicateID:
            row(.warning, "An id is already taken or reserved, and is changed or removed.")
        case .extraCells:
            row(.warning, "A table row has more cells than the header, and they are dropped.")
        case .orphanPage: row(.warning, "A page is unlisted, and no link points to it.")
        case .reviewDue:
            row(.warning, "The day by which a page was to be reviewed has passed.")
        case .unnamedPage:
            row(
                .warning,
                "The navigation of another tool does not name a page, which is published."
            )
        case .navigationFile:
            row(.error, "A file with the order of a folder's pages has a mistake.")
        case .unknownConstruct:
            row(
                .warning,
                "Syntax of another tool is not supported; it stays unchanged or is left out."
            )
        case .replacedOutput: row(.warning, "A page or file has the URL of a generated page.")
        case .unknownKey: row(.error, "A key in front matter is unknown.")
        case .frontMatterValue:
            row(.error, "A value in front matter is not one that its key takes, and is ignored.")
        case .deadExternalLink: row(.error, "A link to another site is dead.")
        case .unreachableExternalLink: row(.warning, "A link to another site could not be checked.")
        case .movedExternalLink: row(.note, "A link to another site is redirected.")
        case .privateExternalLink:
            row(.note, "A link points to this machine or a private network and was not checked.")
        case .staleBaseline: row(.note, "The baseline has entries that no longer occur.")
        case .noHighlighter:
            row(.note, "Code is not highlighted, because Pygments is not installed or stopped.")
        case .noDrawings:
            row(
                .warning,
                "Formulas or diagrams are shown as text, because the program that draws them is missing."
            )
        case .drawing: row(.error, "A formula or a diagram cannot be drawn.")
        case .emptyValue: row(.warning, "A key in front matter has no value.")
        case .curlyQuotes:
            row(.warning, "A value in front matter has curly quotes, which quote nothing in YAML.")
        case .unknownTemplate:
            row(.warning, "A page names a template that does not exist, or that is not for pages.")
        case .folderRule:
            row(
                .warning,
                "A page looks like an index page, but its access applies to this page only."
            )
        case .emptyLink: row(.warning, "A link has no destination.")
        case .unknownScheme: row(.warning, "A link has a URL scheme that browsers do not know.")
        case .localFileLink:
            row(.error, "A link points to a file on the reader's own machine or network.")
        case .alias: row(.error, "An alias is not a valid URL of the site, or two pages have it.")
        case .ambiguousLink:
            row(.warning, "A link may mean two pages, depending on the tool it was written for.")
        case .uselessSlug: row(.warning, "An index page has a slug, which has no effect.")
        case .fileOfDraft: row(.warning, "A file is published, but the page of its folder is not.")
        case .ignoredPage:
            row(
                .warning,
                "A page is ignored, because its name or its folder's name begins with '_'."
            )
        case .noGitHistory:
            row(.warning, "Pages have no date of the last change, because git did not provide one.")
        case .cleanUp: row(.warning, "A release is published, but cleaning up after it failed.")
        case .unreadableRelease:
            row(.warning, "Only the account that built the site can read the release.")
        case .literalMarks:
            row(
                .warning,
                "A mark of Markdown stays text: the space beside it is unusual or missing, or it is in a block of HTML."
            )
        case .dangerousLink:
            row(
                .error,
                "A link would run a script in the reader's browser.",
                closed: "such a link runs a script in the browser of everybody who clicks it"
            )
        case .duplicateOutput:
            row(
                .error,
                "Two files would be published at one URL.",
                closed: "the access of one file would decide who can read the other"
            )
        case .widenedAccess:
            row(
                .error,
                "A page is for more readers than the access it inherits allows.",
                closed: "it keeps pages from being opened by mistake"
            )
        case .restrictedInclude:
            row(
                .error,
                "A page includes the text of a file that some readers of the page may not read.",
                closed: "the page would show them the text of that file"
            )
        case .misspeltAccessKey:
            row(
                .error,
                "An unknown key in front matter resembles a key that protects the page.",
                closed: "the front matter decides who may read the page"
            )
        case .withheldPage:
            row(
                .error,
                "A key of another tool may be meant to hide the page, or to restrict its readers.",
                closed: "the front matter decides who may read the page"
            )
        case .unreadAccess:
            row(
                .error,
                "A line looks like a key that protects the page, but has no effect.",
                closed: "the front matter decides who may read the page"
            )
        case .frontMatter:
            row(
                .error,
                "Front matter has a mistake.",
                closed: "the front matter decides who may read the page"
            )
        case .sourceFile:
            row(
                .error,
                "A file of the source folder cannot be read or published.",
                closed: "a file that cannot be read may decide who may read a page"
            )
        case .conflictMarks:
            row(
                .error,
                "A file has the marks of a merge conflict.",
                closed: "the version that was taken back may not be for these readers"
            )
        case .template:
            row(
                .error,
                "A template, or a file of the theme, is missing or broken.",
                closed: "nothing can be built without it"
            )
        case .configuration:
            row(
                .error,
                "The configuration has a mistake.",
                closed: "nothing can be built without it"
            )
        }
    }
}
