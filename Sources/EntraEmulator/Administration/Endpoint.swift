/// What a request asks, for faults that belong to one kind of answer.
enum Endpoint: String, Sendable, CaseIterable {
    case discovery, keys, authorize, token, logout, userinfo, graph
    case deviceCode = "device-code"
    case managedIdentity = "managed-identity"
}
