/// What happens to pages that the site's outline does not name.
package enum OtherPages: String, Sendable, CaseIterable {
    /// They stand behind the others in the navigation.
    case last
    /// The navigation omits them.
    case hidden
    case unpublished
}
