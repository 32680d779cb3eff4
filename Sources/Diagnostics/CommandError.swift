/// Why a command failed.
public struct CommandError: Error, Equatable {
    /// In the form of a diagnostic's message.
    public let message: String
    /// Whether a file could not be read or written, as opposed to a mistake of the user.
    public let isDisk: Bool

    public init(_ message: String, isDisk: Bool = false) {
        self.message = message
        self.isDisk = isDisk
    }
}
