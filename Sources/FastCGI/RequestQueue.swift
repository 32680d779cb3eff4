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

    /// What libfcgi reads at once; of a request up to that it leaves nothing in the socket.
    private static let readBytes = 8000

    let connection: Int32
    private var buffer: [UInt8]
    private var isFirst = true
    private var mayHaveRest = true

    init(_ connection: Int32) {
        self.connection = connection
        buffer = unsafe [UInt8](unsafeUninitializedCapacity: 8192) { _, count in count = 8192 }
    }

    /// Waits until a request is there that libfcgi may read.
    ///
    /// - Returns: whether nginx keeps the connection after it, or `nil` where none came in time or
    ///   in the right form: then the connection is to be closed.
    mutating func next() -> Bool? {
        // One answer always finds room in the socket; only several may fill it.
        if !isFirst { limitAnswers() }
        var deadline = Self.nanoseconds(in: Self.arrivalMilliseconds)
        var isEnding = false
        var pause = 1
        while true {
            // As a rule the request is there already, and nothing more is asked of the system.
            guard let count = peek() else {
                guard !isEnding, Host.uptimeNanoseconds < deadline else { return nil }
                let patience = isFirst ? Self.arrivalMilliseconds : Self.idleMilliseconds
                guard let isLast = wait(milliseconds: patience) else { return nil }
                isEnding = isLast
                if !isFirst { deadline = Self.nanoseconds(in: Self.arrivalMilliseconds) }
                continue
            }
            if count == 0 { return nil }
            switch RequestForm(buffer.span.extracting(first: count)) {
            case .complete(let end, let keepsConnection):
                isFirst = false
                mayHaveRest = count > Self.readBytes
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

    /// Gives the memory back that no further request will need: this one may wait for long.
    mutating func expectNoMore() { buffer = [] }

    /// Closes the connection.
    ///
    /// libfcgi would wait for the other side to do so, for as long as it sends a byte now and then.
    /// What was not read is taken first: otherwise the other side is told of a failure instead of
    /// reading its answer (unix(7), `ECONNRESET`).
    mutating func close() {
        if mayHaveRest, buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.readBytes) }
        while mayHaveRest,
            unsafe recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0
        {}
        Glibc.close(connection)
    }

    private static func nanoseconds(in milliseconds: Int) -> UInt64 {
        Host.uptimeNanoseconds + UInt64(milliseconds) * 1_000_000
    }

    private func limitAnswers() {
        var limit = timeval(
            tv_sec: Self.answerMilliseconds / 1000,
            tv_usec: Self.answerMilliseconds % 1000 * 1000
        )
        let length = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, length)
    }

    /// - Returns: whether nothing more will come after what is there; `nil` where nothing came.
    private func wait(milliseconds: Int) -> Bool? {
        // POLLRDHUP of poll(2), a GNU extension, which Swift's Glibc module does not import.
        let hangUp = Int16(POLLHUP) | 0x2000
        var request = pollfd(fd: connection, events: Int16(POLLIN) | hangUp, revents: 0)
        // The signal that ends a wait for connections may come when one has just been accepted.
        while unsafe poll(&request, 1, Int32(milliseconds)) < 0 {
            guard errno == EINTR else { return nil }
        }
        guard request.revents != 0 || milliseconds == 0 else { return nil }
        return request.revents & hangUp != 0
    }

    /// - Returns: how many bytes lie there: none where the other side has gone, `nil` where it is silent.
    private mutating func peek() -> Int? {
        let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
        let count = unsafe recv(connection, &buffer, buffer.count, flags)
        if count < 0, errno == EAGAIN { return nil }
        return max(count, 0)
    }
}
