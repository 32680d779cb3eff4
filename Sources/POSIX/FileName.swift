import Glibc

/// Names of files, compared with the patterns of the shell.
public enum FileName {
    /// Whether a name matches a pattern with `*`, `?` and `[…]`, as `fnmatch(3)` has it.
    ///
    /// - Parameters:
    ///   - name: one name, without `/`.
    ///   - showsHidden: whether a dot at the beginning of a name is a character like others; else
    ///     the pattern has to have it, too.
    public static func matches(_ name: String, _ pattern: String, showsHidden: Bool) -> Bool {
        unsafe fnmatch(pattern, name, showsHidden ? 0 : FNM_PERIOD) == 0
    }
}
