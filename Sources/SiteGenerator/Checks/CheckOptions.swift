/// How a site is looked at, beyond what its `sitegen.toml` says.
public struct CheckOptions: Sendable {
    /// Whether a release is written when there is no error.
    public var publishes = true
    /// Whether warnings are errors.
    public var isStrict = false
    /// A file with findings that are let pass.
    public var baseline: String?
    /// Whether ``baseline`` is written anew instead of read.
    public var writesBaseline = false
    /// The rules whose findings are told, each at each of its places; empty for all.
    public var shownRules: Set<Rule> = []
    /// Tries links to other sites; `nil` where nobody asked for it.
    public var outsideLinks: ExternalLinkCheck?
    public var progress = BuildProgress()
    /// How many cores work; `nil` for all.
    public var jobs: Int?

    public init() {}
}
