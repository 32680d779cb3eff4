import CHiredis

/// Redis's reply to a command.
public enum RedisReply: Sendable, Equatable {
    case text(String)
    case number(Int)
    case list([RedisReply])
    case nothing

    public var text: String? { if case .text(let text) = self { text } else { nil } }

    public var list: [RedisReply]? { if case .list(let list) = self { list } else { nil } }

    /// Copies a reply of hiredis.
    init(_ reply: UnsafeMutablePointer<redisReply>) throws(RedisError) {
        switch unsafe reply.pointee.type {
        case REDIS_REPLY_INTEGER: self = unsafe .number(Int(reply.pointee.integer))
        case REDIS_REPLY_NIL: self = .nothing
        case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = unsafe .text(Self.text(reply))
        case REDIS_REPLY_ARRAY:
            var list: [RedisReply] = []
            for index in unsafe 0..<reply.pointee.elements {
                guard let element = unsafe reply.pointee.element[index] else {
                    throw RedisError("a list without one of its elements")
                }
                list.append(try unsafe RedisReply(element))
            }
            self = .list(list)
        default: throw unsafe RedisError(Self.text(reply))
        }
    }

    private static func text(_ reply: UnsafeMutablePointer<redisReply>) -> String {
        guard let characters = unsafe reply.pointee.str else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: characters, count: reply.pointee.len)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}
