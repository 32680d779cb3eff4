/// The readers of a page or file.
public enum Audience: Sendable, Hashable {
    /// Everybody, whether signed in or not.
    case `public`
    /// Every reader who is signed in.
    case signedIn
    /// Readers in at least one of these groups; nobody if there are none.
    case groups(Set<String>)

    public static let nobody = Audience.groups([])

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

    /// Whether the audience includes a signed-in reader with these groups.
    public func admits(memberOf memberships: [String]) -> Bool {
        switch self {
        case .public, .signedIn: true
        case .groups(let names): memberships.contains(where: names.contains)
        }
    }
}

extension Audience: CustomStringConvertible {
    /// The audience as front matter writes it.
    public var description: String {
        switch self {
        case .public: "public"
        case .signedIn: "signed-in"
        case .groups(let names): "[\(names.sorted().joined(separator: ", "))]"
        }
    }
}
