import COpenSSL

/// Random bytes from OpenSSL.
public enum RandomBytes {
    /// - Note: Without randomness no secret is safe, so a failure stops the program.
    public static func next(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = unsafe RAND_bytes(&bytes, Int32(count))
        precondition(result == 1, "the system has no random bytes to give")
        return bytes
    }
}
