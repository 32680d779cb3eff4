/// A value that templates show, or that decides which of their sections are shown.
enum MustacheValue: Sendable {
    typealias Append = @Sendable (inout [UInt8]) -> Void

    case truth(Bool)
    case text([UInt8])
    case list([MustacheValue])
    case object([String: MustacheValue])
    /// A text that a function appends, so that it needs no memory of its own.
    case appended(Append)
    /// Such a text, whose range in the page is wanted; see ``MustacheRenderer/content``.
    case content(Append)

    static func text(_ text: String) -> MustacheValue { .text(Array(text.utf8)) }

    /// `false` for an empty text, because Mustache treats an empty text as true.
    static func textOrFalse(_ text: String) -> MustacheValue {
        text.isEmpty ? .truth(false) : .text(text)
    }

    /// The text that a function appends; `false` if it is empty.
    static func textOrFalse(_ append: (inout [UInt8]) -> Void) -> MustacheValue {
        var text: [UInt8] = []
        append(&text)
        return text.isEmpty ? .truth(false) : .text(text)
    }
}
