import CVersion

/// The version of the three programs and of their packages.
public enum Version {
    /// What `Packaging/version` printed for `make release`; `development` in other builds.
    public static let current: String = {
        let bytes = (0...).lazy.map { version_byte($0) }.prefix { $0 != 0 }
        return String(decoding: Array(bytes), as: UTF8.self)
    }()
}
