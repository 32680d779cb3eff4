import Diagnostics
import POSIX

/// What `sitegen.toml`, or the command line in its place, says about the releases of a site.
public struct ReleaseSettings: Sendable {
    public let output: String
    /// Names the site in packs: its `base_url`.
    public let site: String?
    public let releasesKept: Int

    /// - Parameters:
    ///   - output: given on the command line; then `sitegen.toml` need not exist.
    ///   - site: given on the command line.
    ///   - releasesKept: given on the command line.
    public init(
        configurationPath: String,
        output: String?,
        site: String? = nil,
        releasesKept: Int? = nil
    ) throws(CommandError) {
        if let output, (try? FileStatus(of: configurationPath)) == nil {
            self.output = output
            self.site = site
            self.releasesKept = releasesKept ?? SiteConfiguration().releasesKept
            return
        }
        let (configuration, folder) = try SiteConfiguration.read(configurationPath)
        self.output = output ?? folder + configuration.output
        self.site = site ?? configuration.baseURL
        self.releasesKept = releasesKept ?? configuration.releasesKept
    }

    /// The name of the site, which a pack cannot do without.
    public func requireSite() throws(CommandError) -> String {
        guard let site, !site.isEmpty else {
            throw CommandError(
                "'base_url' in sitegen.toml, or '--site', has to name the site, so that its packs"
                    + " are not taken for those of another one"
            )
        }
        return site
    }
}
