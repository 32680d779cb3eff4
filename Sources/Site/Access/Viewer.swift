import Access
import Diagnostics
import SourceFolder

/// The reader as whom a preview shows the site.
public enum Viewer: Sendable, Equatable {
    /// No reader in particular: all pages are shown.
    case everything
    /// A visitor who has not signed in.
    case visitor
    /// A signed-in reader who is a member of these groups.
    case member([String])

    /// - Parameters:
    ///   - words: the value of `--as`: `public`, `signed-in`, or groups separated by commas.
    ///   - groups: those of the site; `nil` if they are unknown.
    public init(_ words: String, groups: [String]?) throws(CommandError) {
        let names = words.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }) }
        switch AccessKeywords.audience(names, groups: groups ?? names) {
        case .success(.public): self = .visitor
        case .success(.signedIn): self = .member([])
        case .success(.groups(let names)): self = .member(names.sorted())
        case .failure(let mistakes):
            let messages = mistakes.all.map(\.message).joined(separator: "; ")
            throw CommandError("'--as \(words)': \(messages)")
        }
    }

    /// What the published site decides for this reader.
    package enum Verdict { case allowed, signInRequired, forbidden }

    /// - Parameter audience: of the path; `nil` for nobody, as in siteauth.
    package func verdict(on audience: Audience?) -> Verdict {
        switch self {
        case .everything: .allowed
        case .visitor: audience == .public ? .allowed : .signInRequired
        case .member(let groups):
            audience?.admits(memberOf: groups) == true ? .allowed : .forbidden
        }
    }

    /// The name in the account menu.
    package var name: String {
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
