import JOSE
import OpenSSL

/// The keys that seal cookies and sign-in states, derived from the cookie secrets.
///
/// The first secret seals, and all of them open, so that a new secret can be put in front without
/// signing readers out.
struct KeyRing: Sendable {
    /// The purpose of a sealed value; a value for one purpose never opens for another.
    enum Purpose: String, CaseIterable, Sendable {
        case session, browser, state, answer, signOut = "sign-out", idTokenHint = "id-token-hint"
    }

    private struct Key: Sendable {
        /// Four bytes that identify the secret and reveal nothing about it.
        let id: [UInt8]
        let ciphers: [Purpose: AuthenticatedCipher]
        let derivation: [UInt8]
        let signingSeed: [UInt8]

        init(_ secret: String, _ instance: String) {
            let bytes = Array(secret.utf8)
            func derive(_ info: String, _ count: Int) -> [UInt8] {
                KeyDerivation.key(
                    from: bytes,
                    // A change of this number signs all readers out once.
                    info: "siteauth 2 \(info) \(instance)",
                    count: count
                )
            }
            id = derive("key id", 4)
            derivation = derive("derivation", 32)
            signingSeed = derive("identity token", 32)
            ciphers = Dictionary(
                uniqueKeysWithValues: Purpose.allCases.map { purpose in
                    (purpose, AuthenticatedCipher(key: derive("seal \(purpose.rawValue)", 32)))
                }
            )
        }
    }

    private let keys: [Key]
    private let random: @Sendable (Int) -> [UInt8]

    /// - Parameter instance: the site, its registration and its provider. A value that was sealed
    ///   with the same secret on a test site does not open here.
    /// - Precondition: there is at least one secret.
    init(secrets: [String], instance: String, random: @escaping @Sendable (Int) -> [UInt8]) {
        precondition(!secrets.isEmpty, "a key ring has at least one secret")
        keys = secrets.map { Key($0, instance) }
        self.random = random
    }

    /// 32 bytes for each secret, from which the keys for identity tokens are made.
    var signingSeeds: [[UInt8]] { keys.map(\.signingSeed) }

    /// Seals bytes with the first key, and encodes the result as base64url.
    func seal(_ bytes: [UInt8], for purpose: Purpose) -> String {
        let key = keys[0]
        let nonce = random(AuthenticatedCipher.nonceLength)
        guard let cipher = key.ciphers[purpose],
            let sealed = try? cipher.seal(
                bytes,
                associated: Self.associated(key, purpose),
                nonce: nonce
            )
        else { preconditionFailure("AES-256-GCM is not available") }
        return Base64URL.encode(key.id + sealed)
    }

    /// The sealed bytes, or `nil` if key, content or purpose differ from those of the sealing.
    ///
    /// All kinds of damage have the same answer, which tells an attacker nothing.
    func open(_ text: String, for purpose: Purpose) -> [UInt8]? {
        open(Array(text.utf8), for: purpose)
    }

    /// Opens a sealed text that is given as bytes.
    func open(_ text: [UInt8], for purpose: Purpose) -> [UInt8]? {
        guard text.count <= 8192, let sealed = Base64URL.decode(text), sealed.count > 4 else {
            return nil
        }
        guard let key = keys.first(where: { $0.id.elementsEqual(sealed.prefix(4)) }) else {
            return nil
        }
        return key.ciphers[purpose]?.open(
            Array(sealed.dropFirst(4)),
            associated: Self.associated(key, purpose)
        )
    }

    /// Derives 32 bytes from a sealed text, with the key that sealed it: the first secret may have
    /// changed while the reader typed a password.
    func derive(_ info: String, fromSealed text: String, and bytes: [UInt8]) -> [UInt8]? {
        guard let sealed = Base64URL.decode(text),
            let key = keys.first(where: { $0.id.elementsEqual(sealed.prefix(4)) })
        else { return nil }
        var writer = FieldWriter()
        writer.write(info)
        writer.write(sealed)
        writer.write(bytes)
        return Digest.hmac(writer.bytes, key: key.derivation)
    }

    /// Key id and purpose as associated data (NIST SP 800-38D, section 8); the key depends on them
    /// as well.
    private static func associated(_ key: Key, _ purpose: Purpose) -> [UInt8] {
        key.id + Array(purpose.rawValue.utf8)
    }
}
