import Glibc

/// Matches file names with shell patterns.
public enum FileName {
    /// Whether a name matches a pattern with `*`, `?` and `[…]`, as `fnmatch(3)` has it.
    ///
    /// - Parameters:
    ///   - name: one name, without `/`.
    ///   - showsHidden: whether `*` and `?` match a leading dot; otherwise the pattern must contain
    ///     the dot.
    public static func matches(_ name: String, _ pattern: String, showsHidden: Bool) -> Bool {
        unsafe fnmatch(pattern, name, showsHidden ? 0 : FNM_PERIOD) == 0
    }
}
