/// A value that templates show, or that decides which of their sections are shown.
enum MustacheValue: Sendable {
    typealias Append = @Sendable (inout [UInt8]) -> Void

    case truth(Bool)
    case text(String)
    /// A text that was made for the page.
    case bytes([UInt8])
    case list([MustacheValue])
    case object([String: MustacheValue])
    /// A text that a function appends, so that it needs no memory of its own.
    case appended(Append)
    /// Such a text, whose range in the page is wanted; see ``MustacheRenderer/content``.
    case content(Append)

    /// Whether sections are shown for it.
    var isShown: Bool {
        switch self {
        case .truth(let isTrue): isTrue
        case .list(let elements): !elements.isEmpty
        case .text, .bytes, .object, .appended, .content: true
        }
    }

    /// The member of an object.
    subscript(name: String) -> MustacheValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// `false` for an empty text, because Mustache treats an empty text as true.
    static func textOrFalse(_ text: String) -> MustacheValue {
        text.isEmpty ? .truth(false) : .text(text)
    }

    /// The text that a function appends; `false` if it is empty.
    static func textOrFalse(_ append: (inout [UInt8]) -> Void) -> MustacheValue {
        var text: [UInt8] = []
        append(&text)
        return text.isEmpty ? .truth(false) : .bytes(text)
    }
}
