/// A range of the Markdown, on one line.
public struct SourceRange: Sendable, Equatable {
    /// From 1.
    public var line: Int
    /// In bytes, from 1.
    public var column: Int
    /// In bytes; `nil` where only the start is known, or where the end is on another line.
    public var length: Int?

    public init(line: Int, column: Int, length: Int? = nil) {
        self.line = line
        self.column = column
        self.length = length
    }
}
