import POSIX

/// Tells whether a file of a release is still the one that was written.
///
/// The time of the change of its inode is no part of it: each further link to the file changes it.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    let modifiedSeconds: Int
    let modifiedNanoseconds: Int

    init(_ status: FileStatus) {
        device = status.device
        inode = status.inode
        size = status.size
        modifiedSeconds = status.modifiedSeconds
        modifiedNanoseconds = status.modifiedNanoseconds
    }

    init(
        device: UInt64,
        inode: UInt64,
        size: Int,
        modifiedSeconds: Int,
        modifiedNanoseconds: Int
    ) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modifiedSeconds = modifiedSeconds
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}
