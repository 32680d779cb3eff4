import Diagnostics
import POSIX
import Site

/// What `sitegen.toml`, or the command line in its place, says about the releases of a site.
public struct ReleaseSettings: Sendable {
    public let output: String
    public let releasesKept: Int

    /// - Parameters:
    ///   - output: given on the command line; then `sitegen.toml` need not exist.
    ///   - releasesKept: given on the command line.
    public init(
        configurationPath: String,
        output: String?,
        releasesKept: Int? = nil
    ) throws(CommandError) {
        if let output, (try? FileStatus(of: configurationPath)) == nil {
            self.output = output
            self.releasesKept = releasesKept ?? SiteConfiguration().releasesKept
            return
        }
        let (configuration, folder) = try SiteConfiguration.read(configurationPath)
        self.output = output ?? folder + configuration.output
        self.releasesKept = releasesKept ?? configuration.releasesKept
    }
}
