import Glibc

/// A TCP socket on which connections of this machine arrive.
public struct LoopbackSocket: Sendable {
    public let descriptor: Int32
    public let port: UInt16

    /// - Parameter port: 0 for any free port.
    public init(at address: LoopbackAddress, port: UInt16) throws(SystemError) {
        switch address {
        case .ipv4(let text):
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            unsafe inet_pton(AF_INET, text, &name.sin_addr)
            try self.init(AF_INET, name, "\(text):\(port)")
        case .ipv6:
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = port.bigEndian
            name.sin6_addr = in6addr_loopback
            try self.init(AF_INET6, name, "[::1]:\(port)")
        }
    }

    private init<Name>(_ family: Int32, _ name: Name, _ text: String) throws(SystemError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw SystemError("socket", text) }
        // Otherwise the port of a program that has just ended would be in use for a minute.
        var yes: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, length)
        var name = name
        var size = socklen_t(MemoryLayout<Name>.size)
        let failed: String? = unsafe withUnsafeMutablePointer(to: &name) { [descriptor] pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                if unsafe bind(descriptor, pointer, size) != 0 { return "bind" }
                if listen(descriptor, 1024) != 0 { return "listen" }
                return unsafe getsockname(descriptor, pointer, &size) == 0 ? nil : "getsockname"
            }
        }
        if let failed {
            let error = SystemError(failed, text)
            close(descriptor)
            throw error
        }
        // In both kinds of names, the port follows the two bytes of the family.
        port = unsafe withUnsafeBytes(of: name) { bytes in
            unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }
}
