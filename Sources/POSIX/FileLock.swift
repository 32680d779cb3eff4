import Glibc

/// A lock file that is locked until its owner is destroyed or the process ends.
public struct FileLock: ~Copyable {
    private let file: FileDescriptor

    /// Closing would not do: a child that is being started has the file open until it runs its program.
    deinit { flock(file.number, LOCK_UN) }

    /// Takes the lock, or returns `nil` if another process holds it.
    public static func take(_ path: String) throws(SystemError) -> FileLock? {
        let file = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT, mode: 0o644)
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw SystemError("flock", path) }
        }
        return FileLock(file: file)
    }
}
