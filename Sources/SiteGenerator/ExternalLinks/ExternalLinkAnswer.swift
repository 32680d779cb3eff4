/// What came of asking another site for an address.
public enum ExternalLinkAnswer: Sendable, Equatable {
    case status(Int, location: String?)
    /// No answer, and why.
    case trouble(String)
    /// The address belongs to this machine or its network, and nothing was sent.
    case refusedAsPrivate
}

/// What is known of an address in the end.
enum ExternalLinkVerdict: Sendable, Equatable {
    case alive
    case moved(to: String, status: Int)
    case dead(status: Int)
    case unclear(String)
    case privateAddress
    /// The time for all of them was over.
    case notAsked
}
