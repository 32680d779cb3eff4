import Rules

/// The options of a check, in addition to `sitegen.toml`.
public struct CheckOptions: Sendable {
    /// Whether a release is published if there is no error.
    public var publishes = true
    /// Whether warnings are errors.
    public var isStrict = false
    /// A file with findings to suppress.
    public var baseline: String?
    /// Whether ``baseline`` is replaced instead of read.
    public var writesBaseline = false
    /// The rules whose findings are printed, each at every location; empty for all rules.
    public var shownRules: Set<Rule> = []
    /// Checks links to other sites; `nil` to skip them.
    public var externalLinks: ExternalLinkCheck?
    public var progress = BuildProgress()
    /// The number of cores to use; `nil` for all.
    public var jobs: Int?

    public init() {}
}
