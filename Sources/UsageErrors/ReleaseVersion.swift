/// The version of the three programs and of their packages.
public enum ReleaseVersion {
    /// The version as 'debian/changelog' has it, which a test compares.
    public static let current = "0.1.0"
}
