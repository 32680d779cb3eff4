/// What stands first in something that one version writes and another reads: a word and a number.
///
/// A version that writes what this one would read wrongly has a higher number, and is refused by name.
public struct FormatMark: Sendable {
    public let word: String
    let number: Int
    /// What is said of a higher number: who has written it.
    let refusal: String

    public init(_ word: String, _ number: Int, refusal: String) {
        self.word = word
        self.number = number
        self.refusal = refusal
    }

    public var text: String { "\(word) \(number)" }

    /// Why a mark is not this one; `nil` if it is.
    ///
    /// Nothing but a mark is quoted: what was read may be any file.
    public func problem(of mark: some StringProtocol) -> String? {
        if mark == text { return nil }
        let other = mark.split(separator: " ").last.flatMap { Int($0) } ?? 0
        guard other > number, mark == "\(word) \(other)" else {
            return "the first line is not '\(text)'"
        }
        return "'\(mark)' \(refusal); this program reads '\(text)', so update it"
    }
}
