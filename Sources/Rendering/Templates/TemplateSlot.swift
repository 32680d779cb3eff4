/// The name of a value that templates can use.
enum TemplateSlot: Int, CaseIterable {
    // In all templates.
    case site, theme, integrity, hasSearch
    case title, isHome, description, navigation, breadcrumbs, access, isPublic, readers, canonical,
        feed, sections, announcement
    case hasHeading, content, contents, date, dateText, updated, updatedText, author, tags, related,
        editURL, markdown, params, language, direction, owner, review, reviewText, isOverdue,
        reportURL
    /// `false` for a page without a neighbour there.
    case previous, next
    /// The entries of a list, and which of its pages this is.
    case listing, pages
    /// On the home page, if it has a list: the pages that changed last.
    case recent
    /// The target of a redirect.
    case url

    /// The parser of templates replaces the names by these numbers.
    static let numbers = Dictionary(uniqueKeysWithValues: allCases.map { ("\($0)", $0.rawValue) })
}

/// The values of one page for its template.
struct TemplateValues: Sendable {
    /// By the numbers of their slots.
    private(set) var values = [MustacheValue?](repeating: nil, count: TemplateSlot.allCases.count)

    subscript(slot: TemplateSlot) -> MustacheValue? {
        get { values[slot.rawValue] }
        set { values[slot.rawValue] = newValue }
    }
}
