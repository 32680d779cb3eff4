import Jansson

/// What a signed message says about itself (RFC 7515, section 4), whoever wrote it.
///
/// It is good for finding the key to try, and for nothing else.
public struct UnverifiedHeader: Sendable {
    /// `alg`: one of those that were accepted.
    public let algorithm: SignatureAlgorithm
    /// `kid`: the name of a key.
    public let keyID: String?
    /// `x5t`: the SHA-1 of a certificate, as it is written there.
    public let certificateThumbprint: String?
    /// `x5t#S256`: the SHA-256 of a certificate, as it is written there.
    public let certificateThumbprintSHA256: String?

    /// Reads a header, or returns `nil` if it asks for what we do not do.
    ///
    /// Keys that it brings along or points at (`jwk`, `jku`, `x5u`, `x5c`) are not looked at;
    /// `crit` is refused (RFC 7515, section 4.1.11), for we understand no extension.
    init?(_ header: JSON, accepting algorithms: Set<SignatureAlgorithm>) {
        guard let members = header.members, members["crit"] == nil,
            let header = try? UnverifiedHeader(members), algorithms.contains(header.algorithm)
        else { return nil }
        self = header
    }

    private init(_ members: JSON.Members) throws(MemberError) {
        guard let algorithm = SignatureAlgorithm(rawValue: try members.text("alg")) else {
            throw MemberError("alg", .wrong(expected: "an algorithm for signatures"))
        }
        // A media type: its case says nothing, and 'application/' may be left out (RFC 7515,
        // section 4.1.9).
        let type = try members.textIfPresent("typ")?.lowercased()
        guard type == nil || type == "jwt" || type == "application/jwt" else {
            throw MemberError("typ", .wrong(expected: "'JWT'"))
        }
        func name(_ member: String) throws(MemberError) -> String? {
            try members.textIfPresent(member, maximumBytes: Self.maximumNameBytes)
        }
        self.algorithm = algorithm
        keyID = try name("kid")
        certificateThumbprint = try name("x5t")
        certificateThumbprintSHA256 = try name("x5t#S256")
    }

    /// Of the name of a key or a certificate.
    static let maximumNameBytes = 256
}
