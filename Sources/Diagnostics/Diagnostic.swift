/// A position in a file: line and column from 1, the column in bytes.
public struct SourceLocation: Sendable, Hashable {
    /// As the user wrote it; relative to the working folder if it was written so.
    public var path: String
    public var line: Int
    public var column: Int
    /// The number of bytes that the diagnostic is about; `nil` if only their beginning is known.
    public var length: Int?
    /// Where the file was included whose line this is, and where the including file was; empty for
    /// most.
    public var includedAt: [SourceLocation] = []
    /// Whether there is a line to open: not in a folder, and not in a file that is missing.
    public let hasLines: Bool

    public init(_ path: String, line: Int, column: Int = 1, length: Int? = nil) {
        self.path = path
        self.line = max(line, 1)
        self.column = max(column, 1)
        self.length = length
        hasLines = true
    }

    /// A file as a whole.
    ///
    /// Its first line is only where an editor opens it.
    public init(_ path: String) { self.init(path, line: 1, length: 0) }

    /// A folder, or a file that is missing or cannot be read.
    public init(withoutLines path: String) {
        self.path = path
        line = 1
        column = 1
        length = 0
        hasLines = false
    }

    public var isWholeFile: Bool { length == 0 }

    /// `path:line:column`, which editors and CI systems turn into links, or the path alone.
    public var text: String { hasLines ? "\(path):\(line):\(column)" : path }
}

/// An error, a warning or a note about what a person wrote, in the form of GNU and Clang:
/// `path:line:column: severity: message`.
public struct Diagnostic: Sendable, Hashable {
    /// Only an error makes a build fail.
    public enum Severity: String, Sendable { case error, warning, note }

    /// An explanation or a remedy, with a location of its own if it is about another line.
    public struct Note: Sendable, Hashable {
        public var location: SourceLocation?
        public var message: String

        public init(_ message: String, at location: SourceLocation? = nil) {
            self.message = message
            self.location = location
        }
    }

    public var severity: Severity
    /// `nil` if the diagnostic is about no file.
    public var location: SourceLocation?
    /// Lower case, no full stop, names in single quotes; what is wrong, then what was expected.
    public var message: String
    public var notes: [Note]
    /// The name of the rule, by which a configuration sets its severity; `nil` if the severity is
    /// fixed.
    public var rule: String?
    /// The author's words that the diagnostic is about, such as the destination of a link.
    ///
    /// Rule, path and subject identify a finding from one build to the next: a message may also
    /// quote other files, and changes with them. `nil` if the message itself identifies the finding.
    public var subject: String?

    public init(
        _ severity: Severity,
        _ message: String,
        at location: SourceLocation?,
        notes: [Note] = [],
        rule: String? = nil,
        subject: String? = nil
    ) {
        self.severity = severity
        self.location = location
        self.message = message
        self.notes = notes
        self.rule = rule
        self.subject = subject
    }

    /// The printed lines, each with its line feed.
    ///
    /// - Parameter program: printed in place of a missing location.
    public func text(program: String) -> String {
        func line(_ location: SourceLocation?, _ severity: String, _ message: String) -> String {
            "\(location?.text ?? program): \(severity): \(message)\n"
        }
        return notes.reduce(line(location, severity.rawValue, message)) { text, note in
            text + line(note.location ?? location, "note", note.message)
        }
    }
}

extension Diagnostic: Comparable {
    /// By path, line and column; diagnostics without a location come first.
    public static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        func key(_ diagnostic: Diagnostic) -> (String, Int, Int, String) {
            let location = diagnostic.location
            return (
                location?.path ?? "", location?.line ?? 0, location?.column ?? 0, diagnostic.message
            )
        }
        return key(left) < key(right)
    }
}
