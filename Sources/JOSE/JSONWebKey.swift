import Jansson
import OpenSSL

/// An RSA key that verifies signatures, from a key set (RFC 7517).
public struct JSONWebKey: Sendable {
    /// The id by which tokens name the key (`kid`).
    public let keyID: String?
    /// Microsoft's `issuer` member: the issuer whose tokens the key may sign; `{tenantid}` stands
    /// for any tenant.
    public let issuer: String?
    /// Microsoft's `cloud_instance_name`; the public key set also lists keys of other clouds.
    public let cloudInstanceName: String?

    private let publicKey: RSAPublicKey
    /// The algorithms that the key may verify; messages of other algorithms are refused.
    private let algorithms: Set<SignatureAlgorithm>

    /// Reads a key, or returns `nil` if it may not verify RS256: another `kty`, another `use`,
    /// another `alg`, `key_ops` without `verify`, a weak modulus or exponent, or a member of
    /// another type than the standard demands.
    public init?(_ json: JSON) {
        guard let members = json.members, let key = try? JSONWebKey(members) else { return nil }
        self = key
    }

    private init(_ members: JSON.Members) throws(MemberError) {
        func expect(_ isRight: Bool, _ name: String, _ expected: String) throws(MemberError) {
            if !isRight { throw MemberError(name, .wrong(expected: expected)) }
        }
        try expect(members.text("kty") == "RSA", "kty", "'RSA'")
        let use = try members.textIfPresent("use")
        try expect(use == nil || use == "sig", "use", "'sig'")
        let operations = try members.textsIfPresent("key_ops")
        try expect(operations?.contains("verify") ?? true, "key_ops", "a list with 'verify'")
        let algorithm = try members.textIfPresent("alg")
        let rs256 = SignatureAlgorithm.rs256.rawValue
        try expect(algorithm == nil || algorithm == rs256, "alg", "'\(rs256)'")
        guard
            let modulus = Base64URL.decode(try members.text("n")),
            let exponent = Base64URL.decode(try members.text("e")),
            let publicKey = RSAPublicKey(modulus: modulus, exponent: exponent)
        else { throw MemberError("n", .wrong(expected: "the modulus of a safe RSA key")) }
        keyID = try members.textIfPresent("kid", maximumBytes: UnverifiedHeader.maximumNameBytes)
        issuer = try members.textIfPresent("issuer")
        cloudInstanceName = try members.textIfPresent("cloud_instance_name")
        self.publicKey = publicKey
        algorithms = [.rs256]
    }

    /// The key of a certificate, for these algorithms only; it has no id.
    public init(_ certificate: Certificate, for algorithms: Set<SignatureAlgorithm>) {
        keyID = nil
        issuer = nil
        cloudInstanceName = nil
        publicKey = certificate.publicKey
        self.algorithms = algorithms
    }

    func verifies(
        _ signature: [UInt8],
        of message: [UInt8],
        algorithm: SignatureAlgorithm
    ) -> Bool {
        algorithms.contains(algorithm)
            && publicKey.verifies(signature, of: message, scheme: algorithm.scheme)
    }
}

/// The keys that a provider publishes (RFC 7517, section 5).
public struct JSONWebKeySet: Sendable {
    public let keys: [JSONWebKey]

    /// Reads a key set; keys of other kinds are left out.
    ///
    /// - Returns: `nil` if the bytes are not a key set, or it has no usable key or more than 1,000.
    public init?(parsing bytes: [UInt8]) {
        guard let members = (try? JSON(parsing: bytes))?.members,
            let list = try? members.arrayIfPresent("keys"), list.count <= 1000
        else { return nil }
        keys = list.compactMap { JSONWebKey($0) }
        if keys.isEmpty { return nil }
    }

    /// The keys with that id; keys without an id never match.
    public func keys(named keyID: String) -> [JSONWebKey] { keys.filter { $0.keyID == keyID } }

    /// The key for a token without a key id: the only key of the set (OpenID Connect Core 1.0,
    /// section 10.1).
    public var only: JSONWebKey? { keys.count == 1 ? keys[0] : nil }
}
