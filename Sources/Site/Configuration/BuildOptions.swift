/// The options of one build, in addition to `sitegen.toml`.
public struct BuildOptions: Sendable {
    /// The current time in seconds since 1970, for pages that appear or expire.
    public var now: Int
    /// The source folder, instead of `source` in the configuration.
    public var source: String?
    /// The output folder, instead of `output` in the configuration.
    public var output: String?
    /// The URL of the site, instead of `base_url` in the configuration.
    public var baseURL: String?
    /// Whether an unknown key of front matter is a warning.
    public var isLenient = false
    /// Whether a site without a page may be published.
    public var allowsEmpty = false
    /// The kinds of unpublished pages that are published all the same.
    public var included: Set<UnpublishedReason> = []
    /// Whether git is asked for the dates of the last changes.
    public var asksGit = true
    /// Whether compressed files are written if `precompress` is set.
    public var compresses = true
    /// Whether a release is synced to disk before it is visible if `fsync` is set.
    public var syncs = true
    /// Whether pages consist of their text alone, to be put into one file.
    package var printsPages = false
    /// Whether the release is for nginx and siteauth, which run under other accounts.
    public var isForServer = true
    /// How long a build waits for another build that publishes to the same folder.
    public var secondsToWait = 60
    /// Called once with a message when a build has to wait.
    public var tellWait: @Sendable (String) -> Void = { _ in }

    /// How findings are checked and reported.
    public var checks = CheckOptions()

    public init(now: Int) { self.now = now }
}
