extension Digest {
    private static let digits = Array("0123456789abcdef".utf8)

    /// A digest, or the start of one, as text.
    public static func hexadecimal(_ digest: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * digest.underestimatedCount)
        for byte in digest {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
