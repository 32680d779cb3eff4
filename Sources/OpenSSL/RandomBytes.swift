import COpenSSL

/// Bytes that nobody can guess.
public enum RandomBytes {
    /// - Note: A machine without randomness can keep no secret, so this stops the program there.
    public static func next(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe RAND_bytes(&bytes, Int32(count))
        precondition(result == 1, "the system has no random bytes to give")
        return bytes
    }
}
