import Glibc

/// Standard output, written without C's buffers, which are not safe between threads.
public enum StandardOutput {
    public static func write(_ bytes: [UInt8]) throws(SystemError) {
        try File.writeAll(bytes, to: 1, "standard output")
    }

    public static func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }
}

/// Standard input, read without C's buffers.
public enum StandardInput {
    /// The next bytes; none at the end.
    public static func read(atMost count: Int) throws(SystemError) -> [UInt8] {
        while true {
            var used = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                used = unsafe Glibc.read(0, buffer.baseAddress, count)
                filled = max(used, 0)
            }
            if used >= 0 { return bytes }
            guard errno == EINTR else { throw SystemError("read", "standard input") }
        }
    }
}

/// Standard error; a message that cannot be written there is lost.
public enum StandardError {
    public static func write(_ text: String) {
        try? File.writeAll(Array(text.utf8), to: 2, "standard error")
    }
}
