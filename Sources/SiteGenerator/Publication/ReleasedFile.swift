import POSIX

/// A file of a release, as it was after it was written.
///
/// If it is unchanged, the next release can have it without anybody reading it.
struct ReleasedFile: Equatable, Sendable {
    /// The path in the release.
    let path: String
    let identity: FileIdentity
    /// The identity of the compressed copy, if one was written.
    var compressed: FileIdentity?
}

extension FileStatus {
    var identity: FileIdentity { FileIdentity(self) }
}
