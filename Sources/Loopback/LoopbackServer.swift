import FlyingFox
import FlyingSocks
import Glibc
import POSIX

/// An HTTP server that only this machine can reach.
public enum LoopbackServer {
    /// Seconds until an answer must begin; the emulator delays answers by 600 at most.
    ///
    /// The server keeps a timer of some 800 bytes for this time for each request, even after the
    /// answer.
    private static let timeout = 620.0

    /// Starts the server.
    ///
    /// The first address must exist. Of the others, an address that this machine does not have
    /// (mostly IPv6) is left out, and an address that is in use is an error.
    ///
    /// - Returns: the port, which the system chooses for 0.
    public static func start(
        at addresses: [LoopbackAddress],
        port: UInt16,
        handler: some HTTPHandler
    ) async throws -> UInt16 {
        var port = port
        for (index, address) in addresses.enumerated() {
            do {
                port = try await start(at: address, port: port, handler: handler)
            } catch {
                if index == 0 || isInUse(error) { throw error }
            }
        }
        return port
    }

    /// Whether an error of ``start(at:port:handler:)`` means that the port is in use.
    public static func isInUse(_ error: any Error) -> Bool {
        guard case .failed(_, EADDRINUSE, _) = error as? SocketError else { return false }
        return true
    }

    /// Whether an error of ``start(at:port:handler:)`` means that only root may use the port.
    public static func isPermissionDenied(_ error: any Error) -> Bool {
        guard case .failed(_, EACCES, _) = error as? SocketError else { return false }
        return true
    }

    private static func start(
        at address: LoopbackAddress,
        port: UInt16,
        handler: some HTTPHandler
    ) async throws -> UInt16 {
        let server =
            switch address {
            case .ipv4(let text):
                HTTPServer(
                    address: try sockaddr_in.inet(ip4: text, port: port),
                    timeout: timeout,
                    pool: NoDelaySocketPool(pool: HTTPServer.defaultPool()),
                    logger: .disabled,
                    handler: handler
                )
            case .ipv6:
                HTTPServer(
                    address: sockaddr_in6.loopback(port: port),
                    timeout: timeout,
                    pool: NoDelaySocketPool(pool: HTTPServer.defaultPool()),
                    logger: .disabled,
                    handler: handler
                )
            }
        let (results, result) = AsyncStream<Result<UInt16, any Error>>.makeStream()
        // Neither task is a child of this function, because the server continues after its return.
        Task {
            do { try await server.run() } catch { result.yield(.failure(error)) }
        }
        Task {
            // Its error (a timeout or a cancellation) is never the cause.
            try? await server.waitUntilListening()
            switch await server.listeningAddress {
            case .ip4(_, let port), .ip6(_, let port): result.yield(.success(port))
            default: break
            }
        }
        for await result in results { return try result.get() }
        return 0
    }
}
