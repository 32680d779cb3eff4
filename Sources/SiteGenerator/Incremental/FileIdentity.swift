import POSIX

/// What tells one state of a file from any other, without reading it, as git does it.
///
/// The time of the last change of the inode cannot be set by programs.
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

    static let count = 5

    var numbers: [Int] {
        [
            Int(truncatingIfNeeded: device), Int(truncatingIfNeeded: inode), size,
            modifiedSeconds, modifiedNanoseconds,
        ]
    }

    init(_ numbers: [Int]) {
        device = UInt64(truncatingIfNeeded: numbers[0])
        inode = UInt64(truncatingIfNeeded: numbers[1])
        size = numbers[2]
        modifiedSeconds = numbers[3]
        modifiedNanoseconds = numbers[4]
    }
}
