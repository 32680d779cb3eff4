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
        guard
            let algorithm = header["alg"]?.string.flatMap(SignatureAlgorithm.init(rawValue:)),
            algorithms.contains(algorithm),
            header["crit"] == nil,
            header["typ"] == nil || header["typ"]?.string == "JWT"
        else { return nil }
        for name in ["kid", "x5t", "x5t#S256"] {
            guard let value = header[name] else { continue }
            guard let text = value.string, !text.isEmpty, text.utf8.count <= 256 else { return nil }
        }
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        certificateThumbprint = header["x5t"]?.string
        certificateThumbprintSHA256 = header["x5t#S256"]?.string
    }
}
