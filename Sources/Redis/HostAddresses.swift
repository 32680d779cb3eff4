import Glibc
import POSIX
import Synchronization

/// The numeric addresses of a host, looked up on a separate thread.
///
/// `getaddrinfo(3)` has no time limit: if the name server does not answer, it waits for half a
/// minute, and every thread that asks Redis would wait as well.
final class HostAddresses: Sendable {
    typealias Resolve = @Sendable (String) -> Result<[String], RedisError>

    /// Nanoseconds for which addresses are used before the name is looked up again in the
    /// background.
    private static let life: UInt64 = 60_000_000_000
    /// Nanoseconds after which a name without addresses is looked up again.
    private static let pause: UInt64 = 1_000_000_000
    /// The number of addresses that are tried, each for the time limit of a connection.
    private static let maximumTried = 3

    private struct State {
        var found: Result<[String], RedisError>?
        var foundAt: UInt64 = 0
        var isAsking = false
    }

    private let name: String
    private let resolve: Resolve
    private let state = Mutex(State())

    /// - Parameter resolve: replaced in tests, because no name server is silent on demand.
    init(_ name: String, resolve: @escaping Resolve = HostAddresses.resolve) {
        self.name = name
        self.resolve = resolve
        // A numeric address needs no name server.
        if let found = try? Self.resolve(name, flags: AI_NUMERICHOST).get() {
            state.withLock { ($0.found, $0.foundAt) = (.success(found), .max) }
        }
    }

    /// The addresses that were found last; waits up to the given time for the first ones.
    func current(waiting milliseconds: Int) throws(RedisError) -> [String] {
        let deadline = Host.uptimeNanoseconds + UInt64(milliseconds) * 1_000_000
        while true {
            if let found = askIfDue() { return try found.get() }
            guard Host.uptimeNanoseconds < deadline else {
                throw RedisError("the address of '\(name)' was not found in time")
            }
            Host.sleep(milliseconds: 5)
        }
    }

    private func askIfDue() -> Result<[String], RedisError>? {
        let now = Host.uptimeNanoseconds
        let (found, mayAsk) = state.withLock { state in
            let life =
                switch state.found {
                case .success: Self.life
                case .failure: Self.pause
                case nil: UInt64(0)
                }
            let isDue = state.foundAt <= now && now - state.foundAt >= life
            let mayAsk = isDue && !state.isAsking
            if mayAsk { state.isAsking = true }
            return (state.found, mayAsk)
        }
        guard mayAsk else { return found }
        do throws(SystemError) { try WorkerThread.start { self.ask() } } catch {
            state.withLock { $0.isAsking = false }
        }
        return found
    }

    private func ask() {
        let result = resolve(name).map { Array($0.prefix(Self.maximumTried)) }
        state.withLock { state in
            state.isAsking = false
            state.foundAt = Host.uptimeNanoseconds
            // Known addresses stay in use while a name server is down.
            if case .failure = result, case .success = state.found { return }
            state.found = result
        }
    }

    private static let resolve: Resolve = { resolve($0, flags: 0) }

    private static func resolve(_ name: String, flags: Int32) -> Result<[String], RedisError> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = flags
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = unsafe getaddrinfo(name, nil, &hints, &list)
        guard result == 0 else {
            let reason = unsafe String(cString: gai_strerror(result)).lowercased()
            return .failure(RedisError("'\(name)': \(reason)"))
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [String] = []
        var entry = unsafe list
        while let address = unsafe entry {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(text.count)
            let flags = NI_NUMERICHOST
            if unsafe getnameinfo(
                address.pointee.ai_addr,
                address.pointee.ai_addrlen,
                &text,
                length,
                nil,
                0,
                flags
            ) == 0 {
                let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                addresses.append(String(decoding: bytes, as: UTF8.self))
            }
            unsafe entry = unsafe address.pointee.ai_next
        }
        return addresses.isEmpty
            ? .failure(RedisError("'\(name)' has no address")) : .success(addresses)
    }
}
