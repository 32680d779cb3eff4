/// The result of one request to another site.
public enum ExternalLinkAnswer: Sendable, Equatable {
    case status(Int, location: String?)
    /// No response, with the reason.
    case trouble(String)
    /// The address belongs to this machine or a private network, so nothing was sent.
    case refusedAsPrivate
}

/// The result for a URL, after redirects.
enum ExternalLinkVerdict: Sendable, Equatable {
    case alive
    case moved(to: String, status: Int)
    case dead(status: Int)
    case unclear(String)
    case privateAddress
    /// The total time was over.
    case notAsked
}
