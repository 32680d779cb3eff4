/// Redis's reply to a command (RESP, version 2).
public enum RedisReply: Sendable, Equatable {
    case text(String)
    case number(Int)
    case list([RedisReply])
    case nothing
    /// The command was refused, with the reason.
    case refusal(String)

    public var text: String? { if case .text(let text) = self { text } else { nil } }

    public var list: [RedisReply]? { if case .list(let list) = self { list } else { nil } }

    public var refusal: String? { if case .refusal(let reason) = self { reason } else { nil } }
}
