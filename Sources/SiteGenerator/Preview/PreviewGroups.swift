import Access

/// The groups that a preview can be seen as a member of.
public enum PreviewGroups {
    /// - Returns: `nil` where the site's `sitegen.toml` cannot be read yet.
    public static func names(configurationPath: String?, _ options: BuildOptions) -> [String]? {
        SiteFolders.find(configurationPath, options).folders?.configuration.groups.map(\.name)
    }
}
