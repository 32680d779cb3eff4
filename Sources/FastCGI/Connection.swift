import CFastCGI
import Glibc

/// A connection of nginx, and the request on it.
///
/// The object is on the heap, because libfcgi keeps pointers into it. Only one thread uses it at a
/// time, hence `@unchecked Sendable`.
@safe final class Connection: @unchecked Sendable {
    private let request: UnsafeMutablePointer<FCGX_Request>
    private let descriptor: Int32
    private var queue: RequestQueue
    /// Whether nginx may send another request.
    private var isKept = true

    /// - Returns: `nil` if libfcgi cannot take the connection, which is closed then.
    init?(_ descriptor: Int32) {
        self.descriptor = descriptor
        queue = RequestQueue(descriptor)
        unsafe request = .allocate(capacity: 1)
        unsafe request.initialize(to: FCGX_Request())
        // Without a listening socket, libfcgi returns when the connection ends, instead of waiting
        // for another connection, where it could not be told to stop.
        guard unsafe FCGX_InitRequest(request, -1, 0) == 0 else {
            queue.close()
            return nil
        }
        unsafe request.pointee.ipcFd = descriptor
        // Otherwise libfcgi would first close what it takes for the previous connection.
        unsafe request.pointee.keepConnection = 1
    }

    deinit {
        unsafe request.deinitialize(count: 1)
        unsafe request.deallocate()
    }

    /// Reads the next request, which has arrived.
    ///
    /// - Returns: `false` if there is none; then the connection must be closed.
    func receive() -> Bool {
        guard let isKept = queue.next(), unsafe FCGX_Accept_r(request) == 0 else { return false }
        self.isKept = isKept
        return true
    }

    /// The request that was last received.
    var exchange: Exchange { unsafe Exchange(request) }

    /// Makes the connection end with the current request.
    func endAfterAnswer() {
        isKept = false
        queue.expectNoMore()
    }

    /// Ends the request.
    ///
    /// - Returns: whether another request may follow on the connection.
    func finish() -> Bool {
        // libfcgi must not close the connection.
        unsafe request.pointee.keepConnection = 1
        unsafe FCGX_Finish_r(request)
        return unsafe isKept && request.pointee.ipcFd >= 0
    }

    /// Closes the connection, unless libfcgi has closed it after an error.
    func close() {
        if unsafe request.pointee.ipcFd >= 0 { queue.close() }
        unsafe request.pointee.ipcFd = -1
    }

    /// Whether nginx has closed the connection, which it does when its own client has gone.
    var isAbandoned: Bool {
        var wanted = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&wanted, 1, 0) == 1 && wanted.revents & Int16(POLLHUP) != 0
    }
}
