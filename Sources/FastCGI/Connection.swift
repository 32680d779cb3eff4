import CFastCGI
import Glibc

/// A connection of nginx and the request on it.
///
/// It is on the heap, for libfcgi keeps pointers into it, whichever thread has the request. Only one
/// thread has it at a time, hence `@unchecked Sendable`.
@safe final class Connection: @unchecked Sendable {
    private let request: UnsafeMutablePointer<FCGX_Request>
    private let descriptor: Int32

    /// - Returns: `nil` where libfcgi cannot have it; it is closed then.
    init?(_ descriptor: Int32) {
        self.descriptor = descriptor
        unsafe request = .allocate(capacity: 1)
        unsafe request.initialize(to: FCGX_Request())
        // Without a socket of its own, libfcgi comes back when the connection ends, instead of
        // waiting for another one where nobody could tell it to stop.
        guard unsafe FCGX_InitRequest(request, -1, 0) == 0 else {
            close(descriptor)
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

    /// Reads the next request.
    ///
    /// - Returns: `false` when the connection has ended.
    func receive() -> Bool { unsafe FCGX_Accept_r(request) == 0 }

    /// The request that was received last.
    var exchange: Exchange { unsafe Exchange(request) }

    /// Lets the connection end with the request that is being answered.
    func endAfterAnswer() { unsafe request.pointee.keepConnection = 0 }

    /// Ends the request.
    ///
    /// - Returns: whether another one may follow on the connection.
    func finish() -> Bool {
        unsafe FCGX_Finish_r(request)
        return unsafe request.pointee.ipcFd >= 0
    }

    /// Whether nginx has closed it, which it does when its own client has gone.
    var isAbandoned: Bool {
        var wanted = pollfd(fd: descriptor, events: 0, revents: 0)
        return unsafe poll(&wanted, 1, 0) == 1 && wanted.revents & Int16(POLLHUP) != 0
    }
}
