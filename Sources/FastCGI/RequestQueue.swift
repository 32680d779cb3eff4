import Glibc
import POSIX

/// What waits at one connection, one request after the other.
///
/// The bytes stay in the socket until a request lies there as a whole (``RequestForm``). libfcgi
/// then finds all that it reads: it waits for nobody, so that neither a silent connection nor one
/// with a byte a second holds a thread, and no signal can cut its `read`.
struct RequestQueue {
    /// nginx sends a request as soon as it is connected.
    static let arrivalMilliseconds = 5000
    /// Longer than nginx keeps an idle connection (`keepalive_timeout` of an upstream, 60 s).
    static let idleMilliseconds = 75_000
    /// For each write of an answer that nobody takes.
    static let answerMilliseconds = 5000
    /// Of a whole request: nginx's header fields have 32 KB as a rule, our forms 64 KB at most.
    ///
    /// It has to find room in the sender's buffer, of which Linux gives 208 KB.
    static let maximumBytes = 128 << 10

    let connection: Int32
    private var buffer = [UInt8](repeating: 0, count: 8192)
    private var isFirst = true

    init(_ connection: Int32) {
        self.connection = connection
        var limit = timeval(
            tv_sec: Self.answerMilliseconds / 1000,
            tv_usec: Self.answerMilliseconds % 1000 * 1000
        )
        let length = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, length)
    }

    /// Waits until a request is there that libfcgi may read.
    ///
    /// - Returns: whether nginx keeps the connection after it, or `nil` where none came in time or
    ///   in the right form: then the connection is to be closed.
    mutating func next() -> Bool? {
        defer { isFirst = false }
        var start = Host.uptimeNanoseconds
        let patience = isFirst ? Self.arrivalMilliseconds : Self.idleMilliseconds
        guard var isEnding = wait(milliseconds: patience) else { return nil }
        if !isFirst { start = Host.uptimeNanoseconds }
        let deadline = start + UInt64(Self.arrivalMilliseconds) * 1_000_000
        var pause = 1
        while true {
            let count = peek()
            guard count > 0 else { return nil }
            switch RequestForm(buffer.span.extracting(first: count)) {
            case .complete(let end, let keepsConnection):
                // A request behind it would be read ahead by libfcgi, and lost.
                return end == count || !keepsConnection ? keepsConnection : nil
            case .refused: return nil
            case .incomplete where count == buffer.count:
                guard count < Self.maximumBytes else { return nil }
                buffer = [UInt8](repeating: 0, count: Self.maximumBytes)
                continue
            case .incomplete: break
            }
            // Nothing can wait for more than what already lies there, so the look is repeated.
            guard !isEnding, Host.uptimeNanoseconds < deadline else { return nil }
            Host.sleep(milliseconds: pause)
            pause = min(2 * pause, 20)
            isEnding = wait(milliseconds: 0) ?? true
        }
    }

    /// Closes the connection.
    ///
    /// libfcgi would wait for the other side to do so, for as long as it sends a byte now and then.
    /// What was not read is taken first: otherwise the other side is told of a failure instead of
    /// reading its answer (unix(7), `ECONNRESET`).
    mutating func close() {
        while unsafe recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
        Glibc.close(connection)
    }

    /// - Returns: whether nothing more will come after what is there; `nil` where nothing came.
    private func wait(milliseconds: Int) -> Bool? {
        // POLLRDHUP of poll(2), a GNU extension, which Swift's Glibc module does not import.
        let hangUp = Int16(POLLHUP) | 0x2000
        var request = pollfd(fd: connection, events: Int16(POLLIN) | hangUp, revents: 0)
        guard unsafe poll(&request, 1, Int32(milliseconds)) >= 0 else { return nil }
        guard request.revents != 0 || milliseconds == 0 else { return nil }
        return request.revents & hangUp != 0
    }

    private mutating func peek() -> Int {
        let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
        return unsafe recv(connection, &buffer, buffer.count, flags)
    }
}
