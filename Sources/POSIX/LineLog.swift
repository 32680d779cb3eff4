import Glibc

/// A file, or standard error, to which processes append whole lines.
///
/// The file is opened again as soon as its name means another file, so nobody has to tell the program
/// that logrotate has been there.
public final class LineLog: Sendable {
    final class OpenFile: Sendable {
        let descriptor: FileDescriptor
        let status: FileStatus

        init(_ descriptor: consuming FileDescriptor, _ status: FileStatus) {
            self.descriptor = descriptor
            self.status = status
        }
    }

    struct State {
        /// When the thread began that is writing now.
        var busySince: UInt64?
        var file: OpenFile?
        /// Whether the last line in the file may have no end.
        var isCut = false
        /// What became of the last line.
        var error: SystemError?
    }

    /// `nil` for standard error.
    private let path: String?
    private let name: String
    private let state = Monitor(State())

    /// How long a disk may take for a line; the threads that wait are needed for other work.
    private static let patienceMilliseconds = 1000

    public init(_ path: String?) {
        self.path = path
        name = path ?? "standard error"
    }

    /// Appends a line by one call of the system, so that lines of several processes do not mix.
    ///
    /// While a line takes longer than a second, other lines fail at once.
    public func append(_ line: String) throws(SystemError) {
        let error = inTurn { state throws(SystemError) in
            try open(&state)
            let bytes = Array((state.isCut ? "\n\(line)" : line).utf8)
            let count = try Self.write(bytes, to: state.file?.descriptor.number ?? 2, name)
            state.isCut = count < bytes.count && (count > 0 || state.isCut)
            // Nothing else makes a regular file take less.
            if count < bytes.count { throw SystemError("write", name, number: ENOSPC) }
        }
        if let error { throw error }
    }

    /// Why lines cannot be appended: the error of the last line, or that of opening the file.
    public var problem: SystemError? {
        // A file that could not be opened may be there by now; a disk is full until a line fits.
        let last = state.withLock(\.error)
        if last?.call == "write" { return last }
        return inTurn { state throws(SystemError) in try open(&state) }
    }

    /// Runs a body while no other thread does.
    func inTurn(_ body: (inout State) throws(SystemError) -> Void) -> SystemError? {
        let turn = state.wait(milliseconds: Self.patienceMilliseconds) { state -> State?? in
            let now = Host.uptimeNanoseconds
            guard let since = state.busySince else {
                state.busySince = now
                return state
            }
            return now - since > UInt64(Self.patienceMilliseconds) * 1_000_000 ? .some(nil) : nil
        }
        guard var turn = turn ?? nil else {
            return SystemError("write", name, number: ETIMEDOUT)
        }
        do throws(SystemError) {
            turn.error = nil
            try body(&turn)
        } catch {
            turn.error = error
        }
        turn.busySince = nil
        let result = turn
        state.withLock(waking: .one) { $0 = result }
        return result.error
    }

    /// Why a file would not be opened, found without making it; it need not be there yet.
    ///
    /// - Parameter owner: the account that is going to write; `nil` if that is not known.
    public static func problem(ofFileAt path: String, owner: UInt32?) -> SystemError? {
        do throws(SystemError) {
            let status = try FileStatus(of: path, followingLinks: false)
            return unfitness(of: status, path, owner: owner)
        } catch {
            // Who may not look there learns nothing.
            guard error.isMissingFile else { return error.isPermissionDenied ? nil : error }
        }
        let folder = Folder.parent(of: path)
        do throws(SystemError) {
            guard try FileStatus(of: folder).kind != .folder else { return nil }
            return SystemError("open", folder, number: ENOTDIR)
        } catch { return error }
    }

    /// Why lines must not go to a file: another account could read or change them there.
    private static func unfitness(
        of status: FileStatus,
        _ path: String,
        owner: UInt32?
    ) -> SystemError? {
        let remark: String? =
            switch status.kind {
            case .symbolicLink: "it is a symbolic link"
            case .folder, .other: "it is not a file"
            case .file where status.permissions & 0o077 != 0:
                "others may read or change it; its mode must be 600"
            case .file where owner != nil && owner != status.owner:
                "it belongs to another account than the one that writes it"
            case .file: nil
            }
        return remark.map { SystemError("open", path, number: EPERM, remark: $0) }
    }

    /// Opens the file unless its name means the open one, which is still for us alone.
    private func open(_ state: inout State) throws(SystemError) {
        guard let path else { return }
        let owner = Host.userID
        if let now = try? FileStatus(of: path, followingLinks: false) {
            let problem = Self.unfitness(of: now, path, owner: owner)
            if problem == nil, let open = state.file?.status, now.inode == open.inode,
                now.device == open.device
            {
                return
            }
            state.file = nil
            if let problem { throw problem }
        }
        state.file = nil
        let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK
        let descriptor = try FileDescriptor(opening: path, flags: flags, mode: 0o600)
        let status = try FileStatus(ofOpen: descriptor.number, path: path)
        // Something else may stand there since.
        if let problem = Self.unfitness(of: status, path, owner: owner) { throw problem }
        var last = UInt8(ascii: "\n")
        if status.size > 0 {
            _ = unsafe pread(descriptor.number, &last, 1, off_t(status.size - 1))
        }
        state.isCut = last != UInt8(ascii: "\n")
        state.file = OpenFile(descriptor, status)
    }

    /// - Returns: how many bytes were written; fewer on a full disk.
    static func write(
        _ bytes: [UInt8],
        to descriptor: Int32,
        _ name: String
    ) throws(SystemError) -> Int {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        }
        guard count >= 0 else { throw SystemError("write", name) }
        return count
    }
}
