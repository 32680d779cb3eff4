import Glibc

/// Standard output, written without C's buffers, which are not safe between threads.
public enum StandardOutput {
    public static func write(_ bytes: [UInt8]) throws(SystemError) {
        try File.writeAll(bytes, to: 1, "standard output")
    }

    public static func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }
}

/// Standard error; a message that cannot be written there is lost.
public enum StandardError {
    public static func write(_ text: String) {
        try? File.writeAll(Array(text.utf8), to: 2, "standard error")
    }
}
