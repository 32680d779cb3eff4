import Diagnostics

/// The content of a file, and its permissions for other users.
///
/// Other users are those who neither own the file nor are in its group.
public struct FileSnapshot: Sendable {
    public let bytes: [UInt8]
    /// Whether other users have any permission on the file.
    public let isAccessibleToOthers: Bool
    /// Whether other users have the permission to write to the file.
    public let isWritableByOthers: Bool

    public init(bytes: [UInt8], isAccessibleToOthers: Bool, isWritableByOthers: Bool = false) {
        self.bytes = bytes
        self.isAccessibleToOthers = isAccessibleToOthers
        self.isWritableByOthers = isWritableByOthers
    }

    /// The text as UTF-8 with line feeds; empty if the file is not text.
    public var text: [UInt8] { DecodedText(bytes).utf8 }

    /// The lines of a file of secrets without blank lines.
    ///
    /// A file that is not text has no line, and no message with a byte of it.
    package var lines: [String] {
        String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).map { line in
            String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }
}

/// Reads a file, and returns `nil` if it does not exist; errors are shown to the operator.
public typealias ReadFile = @Sendable (_ path: String) throws -> FileSnapshot?
