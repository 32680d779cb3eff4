import Access

/// The groups that `--as` may name.
public enum PreviewGroups {
    /// - Returns: `nil` if `sitegen.toml` cannot be read yet.
    public static func names(configurationPath: String?, _ options: BuildOptions) -> [String]? {
        SiteFolders.find(configurationPath, options).folders?.configuration.groups.map(\.name)
    }
}
