/// Why a text is not a YAML document.
public struct YAMLError: Error {
    public let problem: String
    /// The keys that one mapping has more than once, if that is the problem.
    public let repeatedKeys: [String]
    public let mark: YAMLMark

    init(_ problem: String, repeatedKeys: [String] = [], at mark: YAMLMark) {
        self.problem = problem
        self.repeatedKeys = repeatedKeys
        self.mark = mark
    }
}
