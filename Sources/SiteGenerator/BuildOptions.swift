/// What a build is asked to do beside what `sitegen.toml` says.
public struct BuildOptions: Sendable {
    /// Seconds since 1970, for pages that appear or expire.
    public var now: Int
    /// The folder of the pages, instead of the file's `source`.
    public var source: String?
    /// Where releases go, instead of the file's `output`.
    public var output: String?
    /// Where the site will be, instead of the file's `base_url`.
    public var baseURL: String?
    /// Whether an unknown key of front matter is a warning.
    public var isLenient = false
    /// Whether a site without a page may be published.
    public var allowsEmpty = false
    /// Which pages are published although they say that they are not.
    public var included: Set<Page.UnpublishedReason> = []
    /// Whether what has not changed is taken over from the release before.
    public var isIncremental = true
    /// Whether git is asked when pages were last changed.
    public var asksGit = true
    /// Whether files are written compressed, too, where the file's `precompress` wants that.
    public var compresses = true
    /// Whether a release is on disk before it is visible, where the file's `fsync` wants that.
    public var syncs = true
    /// How long a build waits for another one that publishes to the same folder.
    public var secondsToWait = 60
    /// Is told once that a build waits, and for what.
    public var tellWait: @Sendable (String) -> Void = { _ in }

    /// How mistakes are looked for and told.
    public var checks = CheckOptions()

    public init(now: Int) { self.now = now }
}
