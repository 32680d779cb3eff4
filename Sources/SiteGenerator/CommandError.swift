/// Why a command did nothing.
public struct CommandError: Error, Equatable {
    /// In the words of a diagnostic, without a place.
    public let message: String
    /// Whether the disk is at fault, and not what was asked for.
    public let isDisk: Bool

    init(_ message: String, isDisk: Bool = false) {
        self.message = message
        self.isDisk = isDisk
    }
}
