import CMicroHTTPD
import HTTPTypes
import POSIX

/// An HTTP server that only this machine can reach.
///
/// Each address has one thread, which waits for all its connections; answers are made by tasks. The
/// server runs until the program ends.
public enum LoopbackServer {
    /// Answers a request and its body.
    public typealias Handler = @Sendable (HTTPRequest, [UInt8]) async -> LoopbackAnswer

    /// At most; each takes a descriptor, of which most are left for files and for other servers.
    private static let maximumConnections = 4096
    /// After this time without a byte, a connection is closed, unless an answer is being made.
    private static let idleSeconds: UInt32 = 60
    private static let maximumHeadBytes = 64 << 10

    /// Starts the server.
    ///
    /// The first address must exist. Of the others, an address that this machine does not have
    /// (mostly IPv6) is left out, and an address that is in use is an error.
    ///
    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - maximumBodyBytes: of a request; a larger one is refused before the handler is asked.
    /// - Returns: the port.
    public static func start(
        at addresses: [LoopbackAddress],
        port: UInt16,
        maximumBodyBytes: Int,
        handler: @escaping Handler
    ) throws(SystemError) -> UInt16 {
        let context = unsafe Unmanaged.passRetained(
            Context(handler: handler, maximumBodyBytes: maximumBodyBytes)
        ).toOpaque()
        let connections = min(maximumConnections, Host.descriptorLimit / 4)
        var port = port
        for (index, address) in addresses.enumerated() {
            do throws(SystemError) {
                let socket = try LoopbackSocket(at: address, port: port)
                port = socket.port
                let server = unsafe shim_start(
                    socket.descriptor,
                    context,
                    beginRequest,
                    continueRequest,
                    endRequest,
                    UInt32(clamping: connections / addresses.count),
                    idleSeconds,
                    2 * maximumHeadBytes
                )
                if unsafe server == nil { throw SystemError("MHD_start_daemon", "\(port)") }
            } catch {
                if index == 0 || !error.isAddressMissing { throw error }
            }
        }
        return port
    }

    final class Context: Sendable {
        let handler: Handler
        let maximumBodyBytes: Int

        fileprivate init(handler: @escaping Handler, maximumBodyBytes: Int) {
            self.handler = handler
            self.maximumBodyBytes = maximumBodyBytes
        }
    }
}

/// Called for the first line of a request, whose target libmicrohttpd later hands out only decoded.
private let beginRequest: shim_begin = { _, target, connection in
    guard let target = unsafe target, let connection = unsafe connection else { return nil }
    let exchange = unsafe LoopbackExchange(String(cString: target), at: connection)
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

private let continueRequest: MHD_AccessHandlerCallback = {
    context,
    _,
    _,
    method,
    _,
    bytes,
    count,
    exchange in
    guard let context = unsafe context, let exchange = unsafe exchange?.pointee,
        let method = unsafe method, let count = unsafe count
    else { return .NO }
    let server = unsafe Unmanaged<LoopbackServer.Context>.fromOpaque(context)
    let isAlive = unsafe Unmanaged<LoopbackExchange>.fromOpaque(exchange).takeUnretainedValue()
        .advance(
            String(cString: method),
            UnsafeRawBufferPointer(start: bytes, count: count.pointee),
            server.takeUnretainedValue()
        )
    unsafe count.pointee = 0
    return isAlive ? .YES : .NO
}

private let endRequest: MHD_RequestCompletedCallback = { _, _, exchange, _ in
    if let exchange = unsafe exchange?.pointee {
        unsafe Unmanaged<LoopbackExchange>.fromOpaque(exchange).release()
    }
}
