import Jansson

/// The header of a signed message (RFC 7515, section 4), which anybody may have written.
///
/// Use it only to find the key to try.
public struct UnverifiedHeader: Sendable {
    /// `alg`: one of the accepted algorithms.
    public let algorithm: SignatureAlgorithm
    /// `kid`: the id of a key.
    public let keyID: String?
    /// `x5t`: the SHA-1 of a certificate, in base64url.
    public let certificateThumbprint: String?
    /// `x5t#S256`: the SHA-256 of a certificate, in base64url.
    public let certificateThumbprintSHA256: String?

    /// Reads a header, or returns `nil` if it is not supported.
    ///
    /// Keys in the header or linked from it (`jwk`, `jku`, `x5u`, `x5c`) are ignored. `crit` is
    /// refused (RFC 7515, section 4.1.11), because no extension is supported.
    init?(
        _ header: JSON,
        accepting algorithms: Set<SignatureAlgorithm>,
        types: Set<String>
    ) {
        guard let members = header.members, members["crit"] == nil,
            let header = try? UnverifiedHeader(members, types),
            algorithms.contains(header.algorithm)
        else { return nil }
        self = header
    }

    private init(_ members: JSON.Members, _ types: Set<String>) throws(MemberError) {
        guard let algorithm = SignatureAlgorithm(named: try members.text("alg")) else {
            throw MemberError("alg", .wrong(expected: "an algorithm for signatures"))
        }
        // A media type: its case is irrelevant, and 'application/' may be left out (RFC 7515,
        // section 4.1.9).
        let prefix = "application/"
        if let type = try members.textIfPresent("typ")?.lowercased() {
            let name = type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
            guard types.contains(name) else {
                throw MemberError("typ", .wrong(expected: "'JWT'"))
            }
        }
        func name(_ member: String) throws(MemberError) -> String? {
            try members.textIfPresent(member, maximumBytes: Self.maximumNameBytes)
        }
        self.algorithm = algorithm
        keyID = try name("kid")
        certificateThumbprint = try name("x5t")
        certificateThumbprintSHA256 = try name("x5t#S256")
    }

    /// The greatest length of an id of a key or certificate.
    static let maximumNameBytes = 256
}
