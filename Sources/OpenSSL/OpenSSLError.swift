import COpenSSL

/// The error of an OpenSSL call that no visitor's input can make fail.
public struct OpenSSLError: Error, CustomStringConvertible {
    /// What failed: a function, as OpenSSL's manual names it, or several that belong together.
    public let operation: String
    public let reason: String

    init(_ operation: String) {
        self.operation = operation
        var text = [CChar](repeating: 0, count: 256)
        unsafe ERR_error_string_n(ERR_get_error(), &text, text.count)
        reason = String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
        ERR_clear_error()
    }

    public var description: String { "\(operation): \(reason)" }
}
