import CFastCGI
import Glibc

/// A connection of nginx and the request on it.
///
/// It is on the heap, for libfcgi keeps pointers into it, whichever thread has the request. Only one
/// thread has it at a time, hence `@unchecked Sendable`.
@safe final class Connection: @unchecked Sendable {
    private let request: UnsafeMutablePointer<FCGX_Request>
    private let descriptor: Int32
    private var queue: RequestQueue
    /// Whether nginx may send another request.
    private var isKept = true

    /// - Returns: `nil` where libfcgi cannot have it; it is closed then.
    init?(_ descriptor: Int32) {
        self.descriptor = descriptor
        queue = RequestQueue(descriptor)
        unsafe request = .allocate(capacity: 1)
        unsafe request.initialize(to: FCGX_Request())
        // Without a socket of its own, libfcgi comes back when the connection ends, instead of
        // waiting for another one where nobody could tell it to stop.
        guard unsafe FCGX_InitRequest(request, -1, 0) == 0 else {
            queue.close()
            return nil
        }
        unsafe request.pointee.ipcFd = descriptor
        // Else libfcgi would begin with closing what it takes for the connection before.
        unsafe request.pointee.keepConnection = 1
    }

    deinit {
        unsafe request.deinitialize(count: 1)
        unsafe request.deallocate()
    }

    /// Reads the next request, once it is there.
    ///
    /// - Returns: `false` when there is none, and the connection is to be closed.
    func receive() -> Bool {
        guard let isKept = queue.next(), unsafe FCGX_Accept_r(request) == 0 else { return false }
        self.isKept = isKept
        return true
    }

    /// The request that was received last.
    var exchange: Exchange { unsafe Exchange(request) }

    /// Lets the connection end with the request that is being answered.
    func endAfterAnswer() {
        isKept = false
        queue.expectNoMore()
    }

    /// Ends the request.
    ///
    /// - Returns: whether another one may follow on the connection.
    func finish() -> Bool {
        // Closing is up to us.
        unsafe request.pointee.keepConnection = 1
        unsafe FCGX_Finish_r(request)
        return unsafe isKept && request.pointee.ipcFd >= 0
    }

    /// Closes it, if libfcgi has not done so after an error.
    func close() {
        if unsafe request.pointee.ipcFd >= 0 { queue.close() }
        unsafe request.pointee.ipcFd = -1
    }

    /// Whether nginx has closed it, which it does when its own client has gone.
    var isAbandoned: Bool {
        var wanted = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&wanted, 1, 0) == 1 && wanted.revents & Int16(POLLHUP) != 0
    }
}
