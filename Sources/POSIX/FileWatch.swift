import Glibc

/// Reports changes of files in watched folders (inotify).
///
/// A watch covers one folder, not the folders below it.
public struct FileWatch: ~Copyable {
    public struct Change: Sendable, Equatable {
        /// The watch that noticed the change; `nil` if the system lost events and anything may have
        /// changed.
        public let watch: Int32?
        /// The file's name in its folder; empty if the watched folder or file itself changed.
        public let name: String
        /// Whether folders were added or removed, so that other watches may be needed.
        public let isOfFolders: Bool
    }

    private let descriptor: FileDescriptor

    public init() throws(SystemError) {
        let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard number >= 0 else { throw SystemError("inotify_init1", "fs.inotify") }
        descriptor = FileDescriptor(owning: number)
    }

    /// Watches a folder or a file; a second watch of the same has the same number.
    ///
    /// A watch ends when its folder or file is removed.
    public func add(_ path: String) throws(SystemError) -> Int32 {
        // A file that is being written is reported when it is closed.
        let events =
            IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
            | IN_DELETE_SELF | IN_MOVE_SELF
        let watch = unsafe inotify_add_watch(descriptor.number, path, UInt32(events))
        guard watch >= 0 else { throw SystemError("inotify_add_watch", path) }
        return watch
    }

    /// Ends a watch; a watch that has already ended is ignored.
    public func remove(_ watch: Int32) { inotify_rm_watch(descriptor.number, watch) }

    /// Waits for changes, and returns those that came together.
    ///
    /// - Parameter milliseconds: the longest wait; `nil` waits without limit.
    /// - Returns: an empty list after that time.
    public func changes(waiting milliseconds: Int?) throws(SystemError) -> [Change] {
        var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&request, 1, milliseconds.map { Int32(clamping: $0) } ?? -1)
        if ready == 0 || (ready < 0 && errno == EINTR) { return [] }
        guard ready > 0 else { throw SystemError("poll", "fs.inotify") }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe read(descriptor.number, buffer.baseAddress, buffer.count)
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return [] }
        guard count > 0 else { throw SystemError("read", "fs.inotify") }
        return Self.changes(in: bytes[..<count])
    }

    /// inotify(7): a watch, a mask, a cookie and a length, four bytes each; then a name, filled up
    /// with zero bytes to that length.
    private static func changes(in bytes: ArraySlice<UInt8>) -> [Change] {
        var changes: [Change] = []
        var rest = bytes
        while rest.count >= 16 {
            let words = (0..<4).map { word in
                rest.dropFirst(4 * word).prefix(4).reversed().reduce(UInt32(0)) {
                    $0 << 8 | UInt32($1)
                }
            }
            let (mask, length) = (Int32(bitPattern: words[1]), Int(words[3]))
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
            rest = rest.dropFirst(16 + length)
            // The end of a watch is not reported: the change that ended it was reported already.
            if mask & IN_IGNORED != 0 { continue }
            let isLost = mask & IN_Q_OVERFLOW != 0
            let isOfFolders = mask & (IN_ISDIR | IN_DELETE_SELF | IN_MOVE_SELF) != 0
            changes.append(
                Change(
                    watch: isLost ? nil : Int32(bitPattern: words[0]),
                    name: String(decoding: name, as: UTF8.self),
                    isOfFolders: isLost || isOfFolders
                )
            )
        }
        return changes
    }
}
