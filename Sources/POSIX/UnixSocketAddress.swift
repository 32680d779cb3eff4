import Glibc

/// The address of a Unix socket (unix(7)): a path, or `@` and a name that no file has.
public struct UnixSocketAddress {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// - Returns: `nil` if the path is too long.
    public init?(_ path: String) {
        let room = MemoryLayout.size(ofValue: address.sun_path)
        let isAbstract = path.utf8.first == UInt8(ascii: "@")
        // A path ends with a zero; a name without a file begins with one.
        let bytes = isAbstract ? [0] + path.utf8.dropFirst() : path.utf8 + [0]
        guard bytes.count <= room else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        length = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
    }

    public func bind(_ descriptor: Int32) -> Int32 {
        unsafe withPointer { unsafe Glibc.bind(descriptor, $0, length) }
    }

    public func connect(_ descriptor: Int32) -> Int32 {
        unsafe withPointer { unsafe Glibc.connect(descriptor, $0, length) }
    }

    /// Sends one datagram.
    func send(_ text: String, on descriptor: Int32) -> Int {
        let bytes = Array(text.utf8)
        return unsafe withPointer {
            unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, length)
        }
    }

    private func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
        }
    }
}
