import EntraEmulator
import FlyingFox
import FlyingSocks
import Glibc
import Synchronization

/// A port of this machine, and what answers there.
final class Listener: Sendable {
    typealias Responder = @Sendable (EmulatorRequest) -> EmulatorResponse

    private let responder = Mutex<Responder?>(nil)

    /// Begins to answer; until then there is a 503.
    func answer(_ respond: @escaping Responder) { responder.withLock { $0 = respond } }

    /// Begins to listen.
    ///
    /// A machine without IPv6 is reached by IPv4 alone.
    ///
    /// - Returns: the port, where 0 asked for any.
    func start(at addresses: [LoopbackAddress], port: UInt16) async throws -> UInt16 {
        var port = port
        for (index, address) in addresses.enumerated() {
            do { port = try await start(at: address, port: port) } catch {
                if index == 0 || Self.isInUse(error) { throw error }
            }
        }
        return port
    }

    private func start(at address: LoopbackAddress, port: UInt16) async throws -> UInt16 {
        let gateway = HTTPGateway { [self] request in
            responder.withLock { $0 }?(request)
        }
        let server =
            switch address {
            case .ipv4(let text):
                HTTPServer(
                    address: try sockaddr_in.inet(ip4: text, port: port),
                    logger: .disabled,
                    handler: gateway
                )
            case .ipv6:
                HTTPServer(
                    address: sockaddr_in6.loopback(port: port),
                    logger: .disabled,
                    handler: gateway
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

    /// Whether an error of ``start(at:port:)`` says that somebody else listens there.
    static func isInUse(_ error: any Error) -> Bool {
        guard case .failed(_, EADDRINUSE, _) = error as? SocketError else { return false }
        return true
    }
}
