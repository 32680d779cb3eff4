import CCurl
import Glibc

extension HTTPClient {
    /// libcurl's callback before each connection; refuses addresses that
    /// ``NetworkScope/publicInternet`` excludes.
    ///
    /// The callback sees the address of the connection itself, so a name that resolves to another
    /// address a moment later (DNS rebinding) gains nothing.
    static let openPublicSocket: curl_opensocket_callback = { context, _, address in
        guard let address = unsafe address, let context = unsafe context else {
            return CURL_SOCKET_BAD
        }
        let family = unsafe address.pointee.family
        let (start, count) = family == AF_INET ? (4, 4) : family == AF_INET6 ? (8, 16) : (0, 0)
        let bytes = unsafe withUnsafePointer(to: &address.pointee.addr) { pointer in
            unsafe Array(UnsafeRawBufferPointer(start: pointer, count: start + count)[start...])
        }
        guard NetworkAddress(bytes: bytes).isPublic else {
            unsafe Unmanaged<Received>.fromOpaque(context).takeUnretainedValue().isRefused = true
            return CURL_SOCKET_BAD
        }
        return socket(
            family,
            unsafe address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            unsafe address.pointee.protocol
        )
    }
}
