import Jansson
import OpenSSL

/// A key that verifies signatures, from a key set (RFC 7517).
public struct JSONWebKey: Sendable {
    /// The id by which tokens name the key (`kid`).
    public let keyID: String?
    /// Microsoft's `issuer` member: the issuer whose tokens the key may sign; `{tenantid}` stands
    /// for any tenant.
    public let issuer: String?
    /// Microsoft's `cloud_instance_name`; the public key set also lists keys of other clouds.
    public let cloudInstanceName: String?

    private let publicKey: PublicKey
    /// The algorithms that the key may verify; messages of other algorithms are refused.
    private let algorithms: Set<SignatureAlgorithm>

    /// Reads a key, or returns `nil` if it may not verify a supported algorithm: another `kty`,
    /// `crv`, `use` or `alg`, `key_ops` without `verify`, a weak or published private key, or a
    /// member of another type than the standard demands.
    public init?(_ json: JSON) {
        guard let members = json.members, let key = try? JSONWebKey(members) else { return nil }
        self = key
    }

    private init(_ members: JSON.Members) throws(MemberError) {
        func expect(_ isRight: Bool, _ name: String, _ expected: String) throws(MemberError) {
            if !isRight { throw MemberError(name, .wrong(expected: expected)) }
        }
        // Whoever reads the private half can sign as the provider.
        for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
            try expect(members[name] == nil, name, "no private key")
        }
        let use = try members.textIfPresent("use")
        try expect(use == nil || use == "sig", "use", "'sig'")
        let operations = try members.textsIfPresent("key_ops")
        try expect(operations?.contains("verify") ?? true, "key_ops", "a list with 'verify'")
        func bytes(_ name: String) throws(MemberError) -> [UInt8] {
            guard let bytes = Base64URL.decode(try members.text(name)) else {
                throw MemberError(name, .wrong(expected: "base64url"))
            }
            return bytes
        }
        var possible: (key: PublicKey?, algorithms: Set<SignatureAlgorithm>)
        switch (try members.text("kty"), try members.textIfPresent("crv")) {
        case ("RSA", _):
            let key = PublicKey(modulus: try bytes("n"), exponent: try bytes("e"))
            possible = (key, [.rs256, .ps256])
        case ("EC", "P-256"):
            possible = (PublicKey(p256: try bytes("x"), try bytes("y")), [.es256])
        case ("OKP", "Ed25519"): possible = (PublicKey(ed25519: try bytes("x")), [.ed25519])
        default: throw MemberError("kty", .wrong(expected: "a kind of key that is supported"))
        }
        guard let publicKey = possible.key else {
            throw MemberError("kty", .wrong(expected: "a safe key"))
        }
        // A key that names its algorithm verifies no other one (RFC 8725, section 3.1).
        if let name = try members.textIfPresent("alg") {
            possible.algorithms.formIntersection(
                [SignatureAlgorithm(named: name)].compactMap(\.self)
            )
        }
        algorithms = possible.algorithms
        try expect(!algorithms.isEmpty, "alg", "an algorithm for this kind of key")
        keyID = try members.textIfPresent("kid", maximumBytes: UnverifiedHeader.maximumNameBytes)
        issuer = try members.textIfPresent("issuer")
        cloudInstanceName = try members.textIfPresent("cloud_instance_name")
        self.publicKey = publicKey
    }

    /// The key of a certificate, for these algorithms only; it has no id.
    public init(_ certificate: Certificate, for algorithms: Set<SignatureAlgorithm>) {
        keyID = nil
        issuer = nil
        cloudInstanceName = nil
        publicKey = certificate.publicKey
        self.algorithms = algorithms
    }

    func supports(_ algorithm: SignatureAlgorithm) -> Bool { algorithms.contains(algorithm) }

    func verifies(
        _ signature: [UInt8],
        of message: [UInt8],
        algorithm: SignatureAlgorithm
    ) -> Bool {
        supports(algorithm)
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

    /// The keys that may have signed a message: those with its key id, or the only key of the set
    /// for its algorithm if it has no key id (OpenID Connect Core 1.0, section 10.1).
    public func candidates(for header: UnverifiedHeader) -> [JSONWebKey] {
        if let keyID = header.keyID { return keys(named: keyID) }
        let possible = keys.filter { $0.supports(header.algorithm) }
        return possible.count == 1 ? possible : []
    }
}
