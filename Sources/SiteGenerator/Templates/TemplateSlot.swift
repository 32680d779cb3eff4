/// A value that sitegen gives to the template of a page or list, besides those of the whole site.
enum TemplateSlot: Int, CaseIterable, Sendable {
    case title, isHome, description, navigation, breadcrumbs, access, isPublic, readers, canonical,
        feed, sections, announcement
    case hasHeading, content, contents, date, dateText, updated, updatedText, author, tags, related,
        editURL
    /// `false` for a page without a neighbour there.
    case previous, next
    case previousURL, previousLabel, nextURL, nextLabel
    /// The entries of a list, and which of its pages this is.
    case listing, pageNumber, pageCount, newerURL, olderURL
    /// The target of a redirect.
    case url

    /// The name in templates: that of an object with several values, and that of the value.
    var path: (object: String?, name: String) {
        switch self {
        case .previousURL: ("previous", "url")
        case .previousLabel: ("previous", "label")
        case .nextURL: ("next", "url")
        case .nextLabel: ("next", "label")
        case .pageNumber: ("pages", "number")
        case .pageCount: ("pages", "count")
        case .newerURL: ("pages", "newer")
        case .olderURL: ("pages", "older")
        default: (nil, "\(self)")
        }
    }
}
