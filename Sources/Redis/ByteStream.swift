import CTLS
import Glibc
import POSIX

/// A connection's bytes, with or without TLS; each call ends at its deadline.
///
/// A limit for each system call would not be enough: who sends a byte in time, again and again,
/// would hold a thread for ever.
@safe final class ByteStream: @unchecked Sendable {
    private let descriptor: Int32
    /// The `SSL` of OpenSSL; `nil` without TLS.
    private var session: OpaquePointer?

    /// - Parameters:
    ///   - endpoint: has a numeric address, because looking up a name has no time limit.
    ///   - deadline: of ``Host/uptimeNanoseconds``.
    init(to endpoint: RedisServer.Endpoint, until deadline: UInt64) throws(RedisError) {
        let kind = Int32(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        )
        var result: Int32 = -1
        switch endpoint {
        case .socket(let path):
            guard let address = UnixSocketAddress(path) else {
                throw RedisError("the path '\(path)' is too long")
            }
            descriptor = socket(AF_UNIX, kind, 0)
            result = address.connect(descriptor)
        case .host(let host, let port):
            var hints = unsafe addrinfo()
            unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var found: UnsafeMutablePointer<addrinfo>?
            guard unsafe getaddrinfo(host, "\(port)", &hints, &found) == 0,
                let address = unsafe found
            else { throw RedisError("'\(host)' is not an address") }
            defer { unsafe freeaddrinfo(address) }
            descriptor = unsafe socket(address.pointee.ai_family, kind, 0)
            var isOn: Int32 = 1
            unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
            result = unsafe connect(
                descriptor,
                address.pointee.ai_addr,
                address.pointee.ai_addrlen
            )
        }
        if result == 0 { return }
        guard descriptor >= 0, errno == EINPROGRESS else { throw Self.systemError() }
        try wait(for: POLLOUT, until: deadline)
        var problem: Int32 = 0
        var size = socklen_t(4)
        unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
        guard problem == 0 else { throw Self.systemError(problem) }
    }

    deinit {
        if let session = unsafe session { unsafe SSL_free(session) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Begins TLS; the certificate must be valid for the host.
    func encrypt(
        as host: String,
        with context: TLSContext,
        until deadline: UInt64
    ) throws(RedisError) {
        guard let session = unsafe SSL_new(context.context) else {
            throw RedisError("OpenSSL cannot make a session for TLS")
        }
        unsafe self.session = unsafe session
        let parameters = unsafe SSL_get0_param(session)
        unsafe X509_VERIFY_PARAM_set_hostflags(
            parameters,
            UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        )
        // A name in the certificate is no address, and an address is no name (RFC 6125).
        var isNamed = unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1
        if !isNamed, unsafe SSL_set1_host(session, host) == 1 {
            isNamed = unsafe shim_send_host_name(session, host) == 1
        }
        guard isNamed, unsafe SSL_set_fd(session, descriptor) == 1 else {
            throw RedisError("'\(host)' is not a host name")
        }
        _ = try retry(POLLIN, until: deadline) { unsafe SSL_connect(session) }
    }

    func send(_ bytes: [UInt8], until deadline: UInt64) throws(RedisError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try retry(POLLOUT, until: deadline) {
                unsafe rest.withUnsafeBytes { bytes in
                    if let session = unsafe session {
                        let count = Int32(clamping: bytes.count)
                        return unsafe SSL_write(session, bytes.baseAddress, count)
                    }
                    let flags = Int32(MSG_NOSIGNAL)
                    let count = unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
                    return Int32(clamping: count)
                }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits for bytes and returns those that have arrived.
    func receive(until deadline: UInt64) throws(RedisError) -> ArraySlice<UInt8> {
        var room = [UInt8](repeating: 0, count: 16 << 10)
        let count = try retry(POLLIN, until: deadline) {
            unsafe room.withUnsafeMutableBytes { room in
                if let session = unsafe session {
                    return unsafe SSL_read(session, room.baseAddress, Int32(room.count))
                }
                return unsafe Int32(recv(descriptor, room.baseAddress, room.count, 0))
            }
        }
        return room[..<count]
    }

    /// Repeats a call until it has moved bytes, and waits for the network in between.
    ///
    /// - Parameter events: what the socket waits for; TLS may wait for the opposite.
    private func retry(
        _ events: Int32,
        until deadline: UInt64,
        _ call: () -> Int32
    ) throws(RedisError) -> Int {
        while true {
            // A peer that always has data never reaches poll().
            guard Host.uptimeNanoseconds < deadline else { throw .overdue }
            ERR_clear_error()
            let count = call()
            let number = errno
            if count > 0 { return Int(count) }
            if let session = unsafe session {
                switch unsafe SSL_get_error(session, count) {
                case SSL_ERROR_WANT_READ: try wait(for: POLLIN, until: deadline)
                case SSL_ERROR_WANT_WRITE: try wait(for: POLLOUT, until: deadline)
                default: throw unsafe Self.tlsError(session, number)
                }
            } else if count == 0 {
                throw RedisError("Redis closed the connection")
            } else if number == EAGAIN {
                try wait(for: events, until: deadline)
            } else if number != EINTR {
                throw Self.systemError(number)
            }
        }
    }

    private func wait(for events: Int32, until deadline: UInt64) throws(RedisError) {
        while true {
            let now = Host.uptimeNanoseconds
            guard now < deadline else { throw .overdue }
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let result = unsafe poll(&entry, 1, Int32((deadline - now) / 1_000_000) + 1)
            if result > 0 { return }
            guard result == 0 || errno == EINTR else { throw Self.systemError() }
        }
    }

    private static func systemError(_ number: Int32 = errno) -> RedisError {
        RedisError(SystemError("connect", "", number: number).reason)
    }

    private static func tlsError(_ session: OpaquePointer, _ number: Int32) -> RedisError {
        defer { ERR_clear_error() }
        let verdict = unsafe SSL_get_verify_result(session)
        if verdict != X509_V_OK, let text = unsafe X509_verify_cert_error_string(verdict) {
            return unsafe RedisError("its certificate is refused: \(String(cString: text))")
        }
        let code = ERR_peek_last_error()
        guard code != 0, let text = unsafe ERR_reason_error_string(code) else {
            // Its reason, an alert of TLS, may be lost on the way.
            return number == 0 || number == EAGAIN || number == ECONNRESET || number == EPIPE
                ? RedisError("Redis closed the connection; it may want a client certificate")
                : systemError(number)
        }
        return unsafe RedisError("TLS: \(String(cString: text))")
    }
}
