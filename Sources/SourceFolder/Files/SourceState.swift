import POSIX

/// What tells one state of a source file from any other, without reading it, as git does it.
///
/// Programs can set the time of modification, but not that of the change of the inode.
package struct SourceState: Sendable, Hashable {
    package let device: UInt64
    let inode: UInt64
    package let size: Int
    /// Nanoseconds since 1970.
    let modified: Int
    package let changed: Int

    /// A file that is changed so soon after it was looked at may keep its state: file systems note
    /// times in steps of up to two seconds.
    package static let granularity = 2_000_000_000

    package init(_ status: FileStatus) {
        device = status.device
        inode = status.inode
        size = status.size
        modified = status.modifiedSeconds &* 1_000_000_000 &+ status.modifiedNanoseconds
        changed = status.changedSeconds &* 1_000_000_000 &+ status.changedNanoseconds
    }
}
