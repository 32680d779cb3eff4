import Testing

@testable import OpenSSL

@Suite struct Ed25519PrivateKeyTests {
    /// RFC 8032, section 7.1: seed, public key, message, signature.
    @Test(arguments: [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ])
    func `signs what RFC 8032 signs`(
        seed: String,
        publicKey: String,
        message: String,
        signature: String
    ) {
        let key = Ed25519PrivateKey(seed: Self.bytes(seed))
        #expect(key.publicKey == Self.bytes(publicKey))
        #expect(key.signature(of: Self.bytes(message)) == Self.bytes(signature))
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
    }
}
