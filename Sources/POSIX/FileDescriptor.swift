import Glibc

/// An open file that is closed when its owner is destroyed.
struct FileDescriptor: ~Copyable {
    let number: Int32

    init(opening path: String, flags: Int32, mode: mode_t = 0) throws(SystemError) {
        number = unsafe open(path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError("open", path) }
    }

    /// Opens an entry of an open folder; a symbolic link in its place is an error.
    ///
    /// - Parameter path: the path that an error names.
    init(
        opening name: some StringProtocol,
        in folder: Int32,
        flags: Int32,
        mode: mode_t = 0,
        path: @autoclosure () -> String
    ) throws(SystemError) {
        number = unsafe openat(folder, String(name), flags | O_NOFOLLOW | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError("open", path()) }
    }

    /// Takes over a descriptor that a system call has just opened.
    init(owning number: Int32) { self.number = number }

    deinit { close(number) }
}
