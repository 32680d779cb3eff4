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

    private static let maximumConnections: UInt32 = 4096
    /// After this time without a byte, a connection is closed, unless an answer is being made.
    private static let idleSeconds: UInt32 = 60
    private static let maximumHeadBytes = 64 << 10

    /// Starts the server.
    ///
    /// The first address must exist. Of the others, an address that this machine does not have
    /// (mostly IPv6) is left out, and an address that is in use is an error.
    ///
    /// - Returns: the port, which the system chooses for 0.
    public static func start(
        at addresses: [LoopbackAddress],
        port: UInt16,
        handler: @escaping Handler
    ) throws(SystemError) -> UInt16 {
        let context = unsafe Unmanaged.passRetained(Context(handler: handler)).toOpaque()
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
                    maximumConnections,
                    idleSeconds,
                    2 * maximumHeadBytes
                )
                if unsafe server == nil { throw SystemError("MHD_start_daemon", "\(port)") }
            } catch {
                if index == 0 || error.isAddressInUse { throw error }
            }
        }
        return port
    }

    fileprivate final class Context: Sendable {
        let handler: Handler

        init(handler: @escaping Handler) { self.handler = handler }
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
            server.takeUnretainedValue().handler
        )
    unsafe count.pointee = 0
    return isAlive ? .YES : .NO
}

private let endRequest: MHD_RequestCompletedCallback = { _, _, exchange, _ in
    if let exchange = unsafe exchange?.pointee {
        unsafe Unmanaged<LoopbackExchange>.fromOpaque(exchange).release()
    }
}
