/// Who may read something.
public enum Audience: Sendable, Hashable {
    /// Everybody, signed in or not.
    case `public`
    /// Whoever is signed in.
    case signedIn
    /// Whoever is in at least one of these groups; never empty.
    case groups(Set<String>)

    /// Whether every reader of `self` is also a reader of `other`.
    ///
    /// A page may show the title of another page only where this holds for their audiences.
    public func isSubset(of other: Audience) -> Bool {
        switch (self, other) {
        case (_, .public), (.signedIn, .signedIn), (.groups, .signedIn): true
        case (.groups(let mine), .groups(let theirs)): mine.isSubset(of: theirs)
        default: false
        }
    }

    /// Whether somebody who is signed in, and in these of the site's groups, is a reader.
    public func admits(memberOf memberships: [String]) -> Bool {
        switch self {
        case .public, .signedIn: true
        case .groups(let names): memberships.contains(where: names.contains)
        }
    }
}

extension Audience: CustomStringConvertible {
    /// As front matter writes it.
    public var description: String {
        switch self {
        case .public: "public"
        case .signedIn: "signed-in"
        case .groups(let names): "[\(names.sorted().joined(separator: ", "))]"
        }
    }
}
