/// An application at the token endpoint, and how it has authenticated.
struct Client: Sendable {
    /// The values of `azpacr` (Microsoft, "Access token claims reference").
    enum Proof: String, Sendable {
        case none = "0"
        case secret = "1"
        case certificate = "2"
    }

    let application: Application
    let proof: Proof

    /// Refuses a client that sent no credential.
    ///
    /// - Parameter isPublic: whether the registration allows this flow without a credential.
    func requireProof(unless isPublic: Bool) throws(ProtocolError) {
        if proof != .none || isPublic { return }
        throw .invalidClient(
            7_000_218,
            "The request must have 'client_secret' or 'client_assertion'."
        )
    }
}
