import Access
import Diagnostics

/// Whose eyes a preview looks through.
public enum PreviewReader: Sendable, Equatable {
    /// Nobody's: an author sees all pages.
    case everything
    /// A visitor who has not signed in.
    case visitor
    /// Somebody who has signed in and is in these groups.
    case member([String])

    /// - Parameters:
    ///   - words: as `--as` has them: `public`, `signed-in` or groups, commas between them.
    ///   - groups: those of the site; `nil` where they are not known.
    public init(_ words: String, groups: [String]?) throws(CommandError) {
        let names = words.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }) }
        switch AccessKeywords.audience(names, groups: groups ?? names) {
        case .success(.public): self = .visitor
        case .success(.signedIn): self = .member([])
        case .success(.groups(let names)): self = .member(names.sorted())
        case .failure(let mistake): throw CommandError("'--as \(words)': \(mistake.message)")
        }
    }

    /// What the real site says to this reader about a path.
    enum Verdict { case allowed, signInRequired, forbidden }

    /// - Parameter audience: of the path; `nil` for nobody, as for siteauth.
    func verdict(on audience: Audience?) -> Verdict {
        switch self {
        case .everything: .allowed
        case .visitor: audience == .public ? .allowed : .signInRequired
        case .member(let groups):
            audience?.admits(memberOf: groups) == true ? .allowed : .forbidden
        }
    }

    /// As a greeting.
    var name: String {
        switch self {
        case .everything: "Preview of all pages"
        case .visitor: "Preview as a visitor"
        case .member(let groups):
            groups.isEmpty
                ? "Preview as a reader in no group"
                : "Preview as a reader in \(groups.joined(separator: ", "))"
        }
    }
}
