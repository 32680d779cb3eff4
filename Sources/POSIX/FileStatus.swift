import Glibc

/// The result of `stat(2)` for a file.
public struct FileStatus: Equatable, Sendable {
    public enum Kind: Sendable { case file, folder, symbolicLink, other }

    public let kind: Kind
    public let size: Int
    public let device: UInt64
    public let inode: UInt64
    public let modifiedSeconds: Int
    public let modifiedNanoseconds: Int
    /// When the status changed: the content, the name, the owner or the number of links.
    ///
    /// Unlike the time of modification, a program cannot set this time.
    public let changedSeconds: Int
    public let changedNanoseconds: Int
    /// The permission bits, `0o777` at most.
    public let permissions: UInt32
    /// Whether new entries of this folder get its group (setgid).
    public let givesGroup: Bool
    public let owner: UInt32
    public let group: UInt32

    /// Whether every member of a group has some permissions, without being the owner.
    ///
    /// - Parameter permissions: of `r` (4), `w` (2) and `x` (1).
    public func admits(_ permissions: UInt32, toGroup group: UInt32) -> Bool {
        let bits = group == self.group ? self.permissions >> 3 : self.permissions
        return bits & permissions == permissions
    }

    /// - Parameter followingLinks: whether a symbolic link is followed.
    public init(of path: String, followingLinks: Bool = true) throws(SystemError) {
        var status = stat()
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe fstatat(AT_FDCWD, path, &status, flags) == 0 else {
            throw SystemError("stat", path)
        }
        self.init(status)
    }

    /// The status of an entry of an open folder; a symbolic link is not followed.
    init(of name: String, in folder: Int32, path: String) throws(SystemError) {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw SystemError("stat", "\(path)/\(name)")
        }
        self.init(status)
    }

    /// The status of an open file.
    init(ofOpen descriptor: Int32, path: String) throws(SystemError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError("fstat", path) }
        self.init(status)
    }

    private init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .symbolicLink
        default: kind = .other
        }
        size = Int(status.st_size)
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        modifiedSeconds = Int(status.st_mtim.tv_sec)
        modifiedNanoseconds = Int(status.st_mtim.tv_nsec)
        changedSeconds = Int(status.st_ctim.tv_sec)
        changedNanoseconds = Int(status.st_ctim.tv_nsec)
        permissions = UInt32(status.st_mode & 0o777)
        givesGroup = status.st_mode & S_ISGID != 0
        owner = UInt32(status.st_uid)
        group = UInt32(status.st_gid)
    }
}
