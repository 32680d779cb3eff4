extension Rule {
    /// One sentence for whoever meets the rule's name for the first time.
    public var summary: String {
        switch self {
        case .deadLink: "A link leads to no page or file of the site."
        case .deadAnchor: "A link leads to a heading that its page does not have."
        case .linkOutOfSource: "A link leads out of the source folder."
        case .missingAsset: "An image or a file that a page names is not there."
        case .linkToDraft: "A link leads to a page that is not published."
        case .linkToAbsentPage: "A link leads to a page whose day has not come, or has passed."
        case .linkToRestrictedPage: "A link shows readers a page that they may not open."
        case .widerFile: "A file beside a page is for more readers than the page."
        case .openedFolder: "A page's access also opens the folder below it."
        case .rawHTML: "HTML in Markdown is left out."
        case .missingAlternativeText: "An image has no words for those who do not see it."
        case .skippedHeadingLevel: "A heading is more than one level below the one before it."
        case .severalTopHeadings: "A page has more than one heading of the first level."
        case .unusedDefinition: "A reference definition is used by no link."
        case .orphanPage: "No navigation and no link leads to a page."
        case .unknownConstruct: "Something that another tool understands stays as it is."
        case .unknownKey: "A key in front matter is not known."
        case .deadOutsideLink: "A link to another site leads to nothing."
        case .unreachedOutsideLink: "Another site did not say whether a link leads somewhere."
        case .movedOutsideLink: "A link to another site is sent on to a new address."
        case .privateOutsideLink: "A link leads to this machine or its network; it is not tried."
        case .noHighlighter: "Code stays without colours: the highlighter is not there, or stops."
        case .staleBaseline: "The baseline has findings that no longer occur."
        case .dangerousLink: "A link would run a program in the reader's browser."
        case .duplicateOutput: "Two files write to one address."
        case .widenedAccess: "A page is for more readers than what it inherits allows."
        case .misspeltAccessKey: "An unknown key in front matter is close to one that protects."
        case .frontMatter: "Front matter cannot be read."
        case .sourceFile: "A file of the source folder cannot be taken."
        case .template: "A template is missing or broken."
        case .configuration: "A settings file has a mistake."
        }
    }
}
