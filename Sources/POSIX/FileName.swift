import Glibc

/// Names of files, compared with the patterns of the shell.
public enum FileName {
    /// Whether a name matches a pattern with `*`, `?` and `[…]`, as `fnmatch(3)` has it.
    ///
    /// - Parameter name: one name, without `/`; a dot at its beginning is a character like others.
    public static func matches(_ name: String, _ pattern: String) -> Bool {
        unsafe fnmatch(pattern, name, 0) == 0
    }
}
