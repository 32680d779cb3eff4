import Glibc

/// Standard output, written without C's buffers, which are not safe between threads.
public enum StandardOutput {
    public static func write(_ bytes: [UInt8]) throws(SystemError) {
        try File.writeAll(bytes, to: 1, "standard output")
    }

    public static func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }
}

/// The log of the system, where a command leaves a line for whoever looks there later.
public enum SystemLog {
    /// Writes a line about who may do what (`LOG_AUTH`); without a system's log, as in containers, the
    /// line is lost.
    public static func write(_ text: String, as program: String) {
        unsafe program.withCString { name in
            unsafe openlog(name, LOG_PID, LOG_AUTH)
            unsafe text.withCString { text in
                unsafe withVaList([text]) { unsafe vsyslog(LOG_NOTICE, "%s", $0) }
            }
            closelog()
        }
    }
}

/// Standard error; a message that cannot be written there is lost.
public enum StandardError {
    /// A priority of syslog (RFC 5424, section 6.2.1).
    public enum Priority: Int, Sendable { case error = 3, warning, notice, information }

    public static func write(_ text: String) {
        try? File.writeAll(Array(text.utf8), to: 2, "standard error")
    }

    /// Writes lines, and tells the journal of systemd their priority (sd-daemon(3)); without it,
    /// all lines of a program have the same.
    public static func write(_ text: String, _ priority: Priority) {
        guard isJournal else { return write(text) }
        let lines = text.split(separator: "\n")
        write(lines.map { "<\(priority.rawValue)>\($0)\n" }.joined())
    }

    /// Whether the journal reads standard error: the variable names the device and the inode of its
    /// socket (systemd.exec(5)), so that a program with a file in its place is not misled.
    private static let isJournal: Bool = {
        var status = stat()
        guard let stream = Host.environment["JOURNAL_STREAM"], unsafe fstat(2, &status) == 0 else {
            return false
        }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }()
}
