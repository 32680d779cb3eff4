import Glibc

/// The terminal that the program was started in.
public enum Terminal {
    /// Whether a descriptor (1 for standard output, 2 for standard error) leads to a terminal.
    public static func isAttached(to descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
