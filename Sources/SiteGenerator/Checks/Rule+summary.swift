extension Rule {
    /// One sentence that says what the rule finds.
    public var summary: String {
        switch self {
        case .deadLink: "A link points to a page or file that does not exist."
        case .deadAnchor: "A link points to a heading that its page does not have."
        case .linkOutOfSource: "A link points outside the source folder."
        case .missingAsset: "A link or an image points to a file that does not exist."
        case .brokenFile:
            "A file is empty, a pointer of Git LFS, or not what its name says."
        case .unsuitableImage:
            "An image is on another site, is no picture, or has more than 5 MB."
        case .linkToDraft: "A link points to a draft."
        case .linkToAbsentPage: "A link points to a page that is not published yet, or has expired."
        case .linkToRestrictedPage:
            "A link points to a page that some readers of this page may not open."
        case .widerFile: "A file beside a page is for more readers than the page."
        case .openedFolder: "The access of a page also applies to the folder below it."
        case .rawHTML: "HTML in Markdown is removed, or shown as text."
        case .missingAlternativeText: "An image has no alternative text."
        case .skippedHeadingLevel: "A heading is more than one level below the heading before it."
        case .severalTopHeadings: "A page has more than one heading of level 1."
        case .unusedDefinition: "No link uses a reference definition."
        case .duplicateID: "An id is already taken or reserved, and is changed or removed."
        case .extraCells: "A table row has more cells than the header, and they are dropped."
        case .orphanPage: "A page is unlisted, and no link points to it."
        case .unknownConstruct: "Syntax of another tool is not supported and stays unchanged."
        case .replacedOutput: "A page or file has the URL of a generated page."
        case .unknownKey: "A key in front matter is unknown."
        case .deadExternalLink: "A link to another site is dead."
        case .unreachableExternalLink: "A link to another site could not be checked."
        case .movedExternalLink: "A link to another site is redirected."
        case .privateExternalLink:
            "A link points to this machine or a private network and was not checked."
        case .noHighlighter:
            "Code is not highlighted, because Pygments is not installed or stopped."
        case .noDrawings:
            "Formulas or diagrams are shown as text, because the program that draws them is missing."
        case .drawing: "A formula or a diagram cannot be drawn."
        case .emptyValue: "A key in front matter has no value."
        case .curlyQuotes: "A value in front matter has curly quotes, which quote nothing in YAML."
        case .unknownTemplate:
            "A page names a template that does not exist, or that is not for pages."
        case .folderRule:
            "A page looks like an index page, but its access applies to this page only."
        case .emptyLink: "A link has no destination."
        case .unknownScheme: "A link has a URL scheme that browsers do not know."
        case .localFileLink: "A link points to a file on the reader's own machine or network."
        case .alias: "An alias is not a valid URL of the site, or two pages have it."
        case .fileOfDraft: "A file is published, but the page of its folder is not."
        case .ignoredPage:
            "A page is ignored, because its name or its folder's name begins with '_'."
        case .uselessSlug: "An index page has a slug, which has no effect."
        case .noGitHistory:
            "Pages have no date of the last change, because git did not provide one."
        case .cleanUp: "A release is published, but cleaning up after it failed."
        case .unreadableRelease: "Only the account that built the site can read the release."
        case .literalMarks:
            "A mark of Markdown stays text, because the space beside it is an unusual one or missing."
        case .conflictMarks: "A file has the marks of a merge conflict."
        case .staleBaseline: "The baseline has entries that no longer occur."
        case .dangerousLink: "A link would run a script in the reader's browser."
        case .duplicateOutput: "Two files would be published at one URL."
        case .widenedAccess: "A page is for more readers than the access it inherits allows."
        case .misspeltAccessKey:
            "An unknown key in front matter resembles a key that protects the page."
        case .withheldPage:
            "A key of another tool may be meant to hide the page, or to restrict its readers."
        case .unreadAccess: "A line looks like a key that protects the page, but has no effect."
        case .frontMatter: "Front matter has a mistake."
        case .sourceFile: "A file of the source folder cannot be read or published."
        case .template: "A template, or a file of the theme, is missing or broken."
        case .configuration: "The configuration has a mistake."
        }
    }
}
