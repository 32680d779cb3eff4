import Glibc

/// A Unix socket on which connections arrive.
///
/// The socket stays open until the process ends, because threads may be waiting at it.
public struct ListeningSocket: Sendable {
    public let descriptor: Int32
    /// The path of the socket, or the name that systemd gave it.
    public let path: String
    /// The socket's file; `nil` if systemd keeps the socket.
    private let file: FileIdentity?

    private struct FileIdentity: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64

        init(_ status: FileStatus) { (device, inode) = (status.device, status.inode) }
    }

    /// Listens at a path, and takes the path over from a process that listens there.
    ///
    /// The socket is created under another name and renamed, so that a connection finds a listener
    /// at every moment: earlier connections wait at the old socket, later ones at the new one.
    ///
    /// - Parameter permissions: the socket's permissions. A program that can connect can say
    ///   anything that nginx can say.
    public init(at path: String, permissions: UInt32 = 0o660) throws(SystemError) {
        // `9000`, `:9000` and `localhost:9000` mean ports in other programs; a file of that name is
        // a mistake.
        guard !path.contains(":"), !path.allSatisfy(\.isNumber) else {
            throw SystemError("bind", path, number: EINVAL)
        }
        let temporary = "\(path).\(getpid())"
        guard let address = UnixSocketAddress(temporary) else {
            throw SystemError("bind", path, number: ENAMETOOLONG)
        }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("socket", path) }
        self.path = path
        do throws(SystemError) {
            guard unsafe unlink(temporary) == 0 || errno == ENOENT else {
                throw SystemError("unlink", temporary)
            }
            guard address.bind(descriptor) == 0 else { throw SystemError("bind", temporary) }
            guard unsafe chmod(temporary, permissions) == 0 else {
                throw SystemError("chmod", temporary)
            }
            guard listen(descriptor, 1024) == 0 else { throw SystemError("listen", path) }
            file = FileIdentity(try FileStatus(of: temporary))
            try File.rename(temporary, to: path)
        } catch {
            unsafe unlink(temporary)
            close(descriptor)
            throw error
        }
        Self.prepare(descriptor)
    }

    /// The sockets that systemd opened for this process, by their names (sd_listen_fds(3)).
    ///
    /// - Returns: `nil` if systemd handed over no sockets. Variables for a parent process, which
    ///   are meant for it alone, are ignored.
    public static func activated(
        _ environment: [String: String] = Host.environment
    ) throws(SystemError) -> [String: ListeningSocket]? {
        guard let process = environment["LISTEN_PID"].flatMap(Int.init), process == Host.processID,
            let count = environment["LISTEN_FDS"].flatMap(Int32.init), (1...64).contains(count)
        else { return nil }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(
            separator: ":",
            omittingEmptySubsequences: false
        )
        var sockets: [String: ListeningSocket] = [:]
        for index in 0..<count {
            let name = Int(index) < names.count ? String(names[Int(index)]) : "unknown"
            // The first socket from systemd has the number 3.
            sockets[name] = try ListeningSocket(adopting: 3 + index, name: name)
        }
        return sockets
    }

    private init(adopting descriptor: Int32, name: String) throws(SystemError) {
        // On a port that other machines can reach, each of them could pretend to be nginx.
        guard Self.option(SO_DOMAIN, of: descriptor) == AF_UNIX,
            Self.option(SO_ACCEPTCONN, of: descriptor) == 1
        else { throw SystemError("accept", name, number: ENOTSOCK) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        path = name
        file = nil
        Self.prepare(descriptor)
    }

    /// Whether systemd keeps the socket open for the next process.
    public var isActivated: Bool { file == nil }

    /// Whether another process has taken over the path.
    public var isReused: Bool {
        guard let file, let status = try? FileStatus(of: path, followingLinks: false) else {
            return false
        }
        return FileIdentity(status) != file
    }

    /// Removes the socket from its path; connections that already wait at the socket stay.
    public func withdraw() {
        guard file != nil, !isReused else { return }
        unsafe unlink(path)
    }

    /// Whether a connection waits to be accepted.
    public var hasConnections: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) == 1
    }

    /// The descriptor of the next connection, or `nil` after an interruption.
    public func accept() throws(SystemError) -> Int32? {
        let connection = Glibc.accept(descriptor, nil, nil)
        if connection >= 0 { return connection }
        guard [EINTR, EAGAIN, ECONNABORTED].contains(errno) else {
            throw SystemError("accept", path)
        }
        return nil
    }

    /// With a time limit, however long, a signal ends `accept`, while every `read` goes on: that is
    /// how waiting threads are told to stop (signal(7), "Interruption of system calls").
    private static func prepare(_ descriptor: Int32) {
        var limit = timeval(tv_sec: 86_400, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, length)
        // The socket's previous owner may have set it to non-blocking.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        let result = unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &length)
        return result == 0 ? value : nil
    }
}
