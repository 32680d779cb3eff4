import Glibc
import POSIX

/// The requests of one connection, one after the other.
///
/// The bytes stay in the socket until a complete request has arrived (``RequestForm``). Then
/// libfcgi finds everything that it reads and never waits, so neither a silent connection nor one
/// with a byte a second occupies a thread, and no signal can interrupt its `read`.
struct RequestQueue {
    /// nginx sends a request as soon as it is connected.
    static let arrivalMilliseconds = 5000
    /// Longer than nginx keeps an idle connection (`keepalive_timeout` of an upstream, 60 s).
    static let idleMilliseconds = 75_000
    /// The time limit for each write of an answer that nginx does not read.
    static let answerMilliseconds = 5000
    /// The greatest size of a request: nginx's header fields usually have 32 KB at most, siteauth's
    /// forms 64 KB at most.
    ///
    /// A request must fit into the sender's buffer, which has 208 KB on Linux.
    static let maximumBytes = 128 << 10

    /// The size of libfcgi's reads; it reads requests up to this size in one step.
    private static let readBytes = 8000

    let connection: Int32
    private var buffer: [UInt8]
    private var isFirst = true
    private var mayHaveRest = true

    init(_ connection: Int32) {
        self.connection = connection
        buffer = unsafe [UInt8](unsafeUninitializedCapacity: 8192) { _, count in count = 8192 }
    }

    /// Waits until a complete request has arrived that libfcgi may read.
    ///
    /// - Returns: whether nginx keeps the connection afterwards, or `nil` if no request came in
    ///   time or in the right form: then the connection must be closed.
    mutating func next() -> Bool? {
        // One answer always fits into the socket's buffer; only several may fill it.
        if !isFirst { limitAnswers() }
        var deadline = Self.nanoseconds(in: Self.arrivalMilliseconds)
        var isEnding = false
        var pause = 1
        var hasYielded = false
        while true {
            // Usually the request has already arrived, and no further system call is needed.
            guard let count = peek() else {
                guard !isEnding, Host.uptimeNanoseconds < deadline else { return nil }
                // nginx sends right after it has connected: to let it run costs less than to sleep
                // and to be woken.
                if !hasYielded {
                    hasYielded = true
                    sched_yield()
                    continue
                }
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
                // libfcgi would read ahead into a second request, and lose it.
                return end == count || !keepsConnection ? keepsConnection : nil
            case .refused: return nil
            case .incomplete where count == buffer.count:
                guard count < Self.maximumBytes else { return nil }
                buffer = [UInt8](repeating: 0, count: Self.maximumBytes)
                continue
            case .incomplete: break
            }
            // The system cannot wait for more bytes than are already there, so this polls.
            guard !isEnding, Host.uptimeNanoseconds < deadline else { return nil }
            Host.sleep(milliseconds: pause)
            pause = min(2 * pause, 20)
            isEnding = wait(milliseconds: 0) ?? true
        }
    }

    /// Frees the buffer, because the current request is the last one and may wait for long.
    mutating func expectNoMore() { buffer = [] }

    /// Closes the connection.
    ///
    /// libfcgi would wait for the other side to close, as long as it sends a byte now and then.
    /// Unread bytes are read first: otherwise the other side gets an error instead of its answer
    /// (unix(7), `ECONNRESET`).
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

    /// - Returns: whether the other side has finished sending; `nil` if nothing came.
    private func wait(milliseconds: Int) -> Bool? {
        // POLLRDHUP of poll(2), a GNU extension, which Swift's Glibc module does not import.
        let hangUp = Int16(POLLHUP) | 0x2000
        var request = pollfd(fd: connection, events: Int16(POLLIN) | hangUp, revents: 0)
        // The signal that ends `accept` may arrive when a connection has just been accepted.
        while unsafe poll(&request, 1, Int32(milliseconds)) < 0 {
            guard errno == EINTR else { return nil }
        }
        guard request.revents != 0 || milliseconds == 0 else { return nil }
        return request.revents & hangUp != 0
    }

    /// - Returns: the number of bytes that have arrived; 0 if the other side has closed, `nil` if
    ///   it is silent.
    private mutating func peek() -> Int? {
        let flags = Int32(MSG_PEEK | MSG_DONTWAIT)
        let count = unsafe recv(connection, &buffer, buffer.count, flags)
        if count < 0, errno == EAGAIN { return nil }
        return max(count, 0)
    }
}
