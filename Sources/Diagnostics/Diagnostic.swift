/// Where in a file something stands: line and column from 1, the column in bytes.
public struct SourceLocation: Sendable, Hashable {
    /// As the person who gave it would write it, relative to the working folder where it was.
    public var path: String
    public var line: Int
    public var column: Int
    /// How many bytes from there are meant; `nil` where only their beginning is known.
    public var length: Int?

    public init(_ path: String, line: Int, column: Int = 1, length: Int? = nil) {
        self.path = path
        self.line = max(line, 1)
        self.column = max(column, 1)
        self.length = length
    }

    /// A file as a whole: its first line is where an editor opens it, and is not what is meant.
    public init(_ path: String) { self.init(path, line: 1, length: 0) }

    public var isWholeFile: Bool { length == 0 }
}

/// Something a person has to know about their input, in the form of GNU and Clang:
/// `path:line:column: severity: message`, which editors and CI systems turn into links.
public struct Diagnostic: Sendable, Hashable {
    /// A note asks for nothing and lets nothing fail.
    public enum Severity: String, Sendable { case error, warning, note }

    /// What helps to put it right, with its own place where it has one.
    public struct Note: Sendable, Hashable {
        public var location: SourceLocation?
        public var message: String

        public init(_ message: String, at location: SourceLocation? = nil) {
            self.message = message
            self.location = location
        }
    }

    public var severity: Severity
    /// `nil` where it belongs to no file.
    public var location: SourceLocation?
    /// Lower case, no full stop, names in single quotes; what is wrong, then what was expected.
    public var message: String
    public var notes: [Note]
    /// The stable name of this kind of finding, by which people set how much it matters.
    ///
    /// `nil` where there is nothing to set.
    public var rule: String?
    /// The author's own words that are meant, such as the destination of a link.
    ///
    /// Rule, file and these words say which finding it is from one build to the next; the message
    /// may also tell what stands elsewhere, and changes with it. `nil` where the message alone says
    /// what is meant.
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

    /// The lines as they are printed, each ended.
    ///
    /// - Parameter program: stands where there is no place.
    public func text(program: String) -> String {
        func line(_ location: SourceLocation?, _ severity: String, _ message: String) -> String {
            let start = location.map { "\($0.path):\($0.line):\($0.column)" } ?? program
            return "\(start): \(severity): \(message)\n"
        }
        return notes.reduce(line(location, severity.rawValue, message)) { text, note in
            text + line(note.location ?? location, "note", note.message)
        }
    }
}

extension Diagnostic: Comparable {
    /// By path, line and column; those without a place come first.
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
