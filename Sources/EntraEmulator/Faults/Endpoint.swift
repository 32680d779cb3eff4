/// The endpoint of a request, for faults of one endpoint.
enum Endpoint: String, Sendable, CaseIterable {
    case discovery, keys, authorize, token, logout, userinfo, graph
    case deviceCode = "device-code"
    case managedIdentity = "managed-identity"
}
