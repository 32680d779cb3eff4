import Access
import Diagnostics

/// Reads the words for an audience in front matter and `sitegen.toml`.
enum AccessKeywords {
    struct Mistake: Error {
        let message: String
        /// The index of the wrong word; `nil` if the mistake is about all of them.
        var element: Int?
    }

    /// Words that no group can have as its name.
    static let reserved = ["public", "signed-in"]

    /// `public`, `signed-in`, or names of groups.
    static func audience(_ words: [String], groups: [String]) -> Result<Audience, Mistake> {
        if words == ["public"] { return .success(.public) }
        if words == ["signed-in"] { return .success(.signedIn) }
        guard !words.isEmpty else {
            return .failure(
                Mistake(
                    message:
                        "'access' is empty, so nobody could read this; it must be 'public', 'signed-in' or groups"
                )
            )
        }
        for (index, word) in words.enumerated() where !groups.contains(word) {
            if reserved.contains(word) {
                let message = "'\(word)' cannot be combined with other names"
                return .failure(Mistake(message: message, element: index))
            }
            let known = groups.sorted().map { "'\($0)'" }.joined(separator: ", ")
            let defines = groups.isEmpty ? "it defines no groups" : "it defines \(known)"
            let hint = NearestName.hint(word, in: groups + reserved)
            let message = "group '\(word)' is not defined in sitegen.toml; \(defines)\(hint)"
            return .failure(Mistake(message: message, element: index))
        }
        return .success(.groups(Set(words)))
    }
}
