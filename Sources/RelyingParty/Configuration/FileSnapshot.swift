/// The content of a file and who may read or write it.
public struct FileSnapshot: Sendable {
    public let bytes: [UInt8]
    /// Whether every user of the machine may read it.
    public let isForEverybody: Bool
    /// Whether every user of the machine may write to it.
    public let isFromAnybody: Bool

    public init(bytes: [UInt8], isForEverybody: Bool, isFromAnybody: Bool = false) {
        self.bytes = bytes
        self.isForEverybody = isForEverybody
        self.isFromAnybody = isFromAnybody
    }

    /// The lines of a file of secrets without blank lines, or `nil` if the file is not UTF-8.
    var lines: [String]? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.split(whereSeparator: \.isNewline).map { line in
            String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }
}

/// Reads a file, and returns `nil` if it does not exist; errors are shown to the operator.
public typealias ReadFile = @Sendable (_ path: String) throws -> FileSnapshot?
