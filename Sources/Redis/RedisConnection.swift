import CHiredis
import Glibc

/// A connection to Redis, for one thread at a time.
@safe final class RedisConnection: @unchecked Sendable {
    private let context: UnsafeMutablePointer<redisContext>

    /// - Parameter endpoint: the server's endpoint with a numeric address, because hiredis would
    ///   look up a name without a time limit.
    init(to server: RedisServer, at endpoint: RedisServer.Endpoint) throws(RedisError) {
        let limit = timeval(
            tv_sec: server.timeoutMilliseconds / 1000,
            tv_usec: (server.timeoutMilliseconds % 1000) * 1000
        )
        let context =
            switch endpoint {
            case .host(let host, let port):
                unsafe redisConnectWithTimeout(host, Int32(clamping: port), limit)
            case .socket(let path): unsafe redisConnectUnixWithTimeout(path, limit)
            }
        guard let context = unsafe context else {
            throw RedisError("there is no memory for a connection")
        }
        unsafe self.context = unsafe context
        guard unsafe context.pointee.err == 0 else { throw failure }
        guard unsafe redisSetTimeout(context, limit) == REDIS_OK else { throw failure }
        if !server.password.isEmpty {
            let names = server.user.isEmpty ? [] : [server.user]
            _ = try send(["AUTH"] + names + [server.password])
        }
        if server.database != 0 { _ = try send(["SELECT", "\(server.database)"]) }
    }

    deinit { unsafe redisFree(context) }

    /// Whether the connection can be used again; not after a transport error.
    var isUsable: Bool { unsafe context.pointee.err == 0 }

    func send(_ command: [String]) throws(RedisError) -> RedisReply {
        var words = unsafe command.map { unsafe UnsafePointer(strdup($0)) }
        defer {
            unsafe words.forEach { word in unsafe free(UnsafeMutablePointer(mutating: word)) }
        }
        let lengths = command.map(\.utf8.count)
        guard
            let answer = unsafe redisCommandArgv(
                context,
                Int32(clamping: command.count),
                &words,
                lengths
            )
        else { throw failure }
        defer { unsafe freeReplyObject(answer) }
        return try unsafe RedisReply(answer.assumingMemoryBound(to: redisReply.self))
    }

    private var failure: RedisError {
        let text = unsafe String(cString: shim_redis_error(context))
        // hiredis reports a timeout with the system's text for `EAGAIN`, which nobody understands.
        let isOverdue = [EAGAIN, ETIMEDOUT].contains { code in
            unsafe text == String(cString: strerror(code))
        }
        return RedisError(isOverdue ? "Redis did not answer in time" : text)
    }
}
