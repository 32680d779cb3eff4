import Glibc

/// What stands in front of whoever started the program.
public enum Terminal {
    /// Whether a descriptor (1 for standard output, 2 for standard error) leads to a terminal.
    public static func isAttached(to descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
