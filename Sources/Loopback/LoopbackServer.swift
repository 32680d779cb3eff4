import FlyingFox
import FlyingSocks
import Glibc

/// Speaks HTTP on this machine alone.
public enum LoopbackServer {
    /// For an answer to begin, in seconds; the emulator holds one back for 600 at most.
    ///
    /// Of each request, the server keeps its timer of some 800 bytes that long, answered or not.
    private static let timeout = 620.0

    /// Begins to answer.
    ///
    /// The first address has to be there. Of the others, one that this machine has not got (IPv6,
    /// mostly) is left out, and one that is taken is an error.
    ///
    /// - Returns: the port, where 0 asked for any.
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

    /// Whether an error of ``start(at:port:handler:)`` says that somebody else listens there.
    public static func isInUse(_ error: any Error) -> Bool {
        guard case .failed(_, EADDRINUSE, _) = error as? SocketError else { return false }
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
        // Neither is a child of this function: the server goes on when it has returned.
        Task {
            do { try await server.run() } catch { result.yield(.failure(error)) }
        }
        Task {
            // Its error, too late or cancelled, is never the reason.
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
