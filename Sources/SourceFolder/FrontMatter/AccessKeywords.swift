import Access
import Diagnostics

/// Reads the words for an audience in front matter and `sitegen.toml`.
package enum AccessKeywords {
    package struct Mistake {
        package let message: String
        /// The index of the wrong word; `nil` if the mistake is about all of them.
        package var element: Int?
    }

    package struct Mistakes: Error { package let all: [Mistake] }

    /// How a list of names is written.
    package enum ListNotation {
        /// In YAML: `access: [hr, board]`.
        case yaml
        /// In TOML and JSON: `["hr", "board"]`.
        case quoted

        func list(_ names: [String]) -> String {
            switch self {
            case .yaml: "access: [\(names.joined(separator: ", "))]"
            case .quoted: "[\(names.map { "\"\($0)\"" }.joined(separator: ", "))]"
            }
        }
    }

    /// Words that no group can have as its name.
    package static let reserved = ["public", "signed-in"]

    /// `public`, `signed-in`, or names of groups.
    ///
    /// - Parameter list: how the author can write several names; `nil` if the author cannot.
    package static func audience(
        _ words: [String],
        groups: [String],
        list: ListNotation? = nil
    ) -> Result<Audience, Mistakes> {
        if words == ["public"] { return .success(.public) }
        if words == ["signed-in"] { return .success(.signedIn) }
        guard !words.isEmpty else {
            let message =
                "'access' is empty, so nobody could read this; it must be 'public', 'signed-in' or groups"
            return .failure(Mistakes(all: [Mistake(message: message)]))
        }
        // A limit, because each wrong word is compared with all groups, which takes time.
        // To Swift, the sign for kelvin is a K; siteauth compares bytes, and would refuse the rules of
        // the whole site.
        let wrong = words.enumerated().lazy
            .filter { !($0.element.utf8.allSatisfy { $0 < 0x80 } && groups.contains($0.element)) }
            .prefix(10)
        let mistakes = wrong.map { index, word in
            Mistake(message: message(word, words, groups, list), element: index)
        }
        if mistakes.isEmpty { return .success(.groups(Set(words))) }
        return .failure(Mistakes(all: Array(mistakes)))
    }

    /// - Parameter word: one of `words`, which is not a group.
    private static func message(
        _ word: String,
        _ words: [String],
        _ groups: [String],
        _ list: ListNotation?
    ) -> String {
        if reserved.contains(word) { return "'\(word)' cannot be combined with other names" }
        let start = "group '\(word)' is not defined in sitegen.toml"
        if let list, names(in: word).count > 1 {
            return "\(start); write a list: \(list.list(words.flatMap(names)))"
        }
        let known = groups.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let defines = groups.isEmpty ? "it defines no groups" : "it defines \(known)"
        return "\(start); \(defines)\(NearestName.hint(word, in: groups + reserved))"
    }

    /// The names in a text that separates them by commas or spaces.
    private static func names(in word: String) -> [String] {
        word.split { $0 == "," || $0.isWhitespace }.map(String.init)
    }
}
