import OpenSSL

/// Secrets that are published: in this project's pages, examples and tests, or in documentation
/// that many people copy from.
///
/// The list has their lengths and SHA-256 digests, in lower case, so that it does not publish a
/// secret again that somebody may be using.
public enum PublishedSecret {
    private static let digests: [(count: Int, digest: String)] = [
        (23, "ce152b1db6c078ca11ae6a636dfca43e14e7796034895d009fcf5ddcc1b18d23"),
        (28, "80b68d4c8cfe6bc50181d8d7482010b2e20a7be14c5b8678b03909a731c298e9"),
        (32, "3eb1bd439947eb762998e566ccc2e099c791118b2f40579cc4f7da2b5061b7f9"),
        (32, "4ba68aa8767bde72e8c798ee82d1275291cea73e72ad74d35ecf48e41386eb82"),
        (32, "9e93c5536ffea3a9f76d72fe8355539214acb04d333f45173623ad416b7ad3a1"),
        (35, "330285dfa4092fec4074d01e37059ea17abf320c063919b2feb7377374eb3441"),
        (38, "b06b0f38ca47e329a8f9db0a2999a094fc3867995028059140d58e2917d9d995"),
        (39, "c2bc31d7bbbf2e5b02f6c8c8d5743272acf89be353bbc3006a4d4bbbbf2a7796"),
        // From the documentation of FastAPI, Flask, Python and OAuth2 Proxy, from RFC 7515, RFC
        // 7636 and FIPS 197, and π in hexadecimal.
        (22, "89a575fffd26b594cabf8913a878d0dbe84e6470b75a96b4787c05d7ca8c50a4"),
        (32, "21c66cc3d2f3423cc633c130fb03036517cfab83c4d75232337df58e9a04dd73"),
        (32, "283c2183776b6348501e9ad7568f298d6a53f2d9849b66d5580cfe76c1289d79"),
        (32, "2ef2503d964e9668092e6878d3c390ca7909bbbffabd781857115e3be4bb3e5a"),
        (32, "4aca47a3062de8b10a9fba85d72135e9f4821f28df44f058697ca97e8e5c7198"),
        (32, "d676ab3a5cf0a335d0a3163022c7c94d408fdb773ea38808399596b2f17b7fb5"),
        (42, "26048175b3a7dadbd7671cc75b73d556fae595a028f2e1a621f262dc3f4336f5"),
        (43, "3599ccd0b32fe2c5555962c1d0bec844a8ca9940a56f59c5c0e1de5c07d0f3df"),
        (43, "453a6f6206b9e2fa0f5467287fbbe17698b0da90315dd9dc4d611d5935ed768f"),
        (43, "69a19c1516e0e15c176b0779c5126b09e409bd2b3d725f7133b9a1f8cbe1d34f"),
        (43, "ff0b7027e273d872f3a7107a9fa9a5e9c585256d9e47ba8e8be5ec82c5b0e6d5"),
        (64, "2598f7d6adc142d88161630f3db12ab2bd3403521c281811e5e1ce60d4ac5d76"),
        (64, "570dad43de1af4c925f92c16a68a50936da42b7dd6fdeb24850507a1199aac89"),
        (86, "c1d2e8726375f11fda33d032c5d84eec753aba4bad251dfdfaf8bdd8c4d26243"),
    ]

    /// Whether `secret` contains a published secret, whatever is before or after it.
    public static func isPart(of secret: String) -> Bool {
        let bytes = Array(secret.lowercased().utf8.prefix(SecretStrength.maximumBytes))
        return digests.contains { count, digest in
            guard bytes.count >= count else { return false }
            let digest = SecretEncoding.hexadecimal(Array(digest.utf8))
            return (0...(bytes.count - count)).contains { start in
                Digest.sha256(Array(bytes[start..<start + count])) == digest
            }
        }
    }

    /// Whether `secret`, or a text that it encodes, contains a published secret.
    public static func isEncoded(in secret: String) -> Bool {
        let texts = SecretEncoding.decodings(of: Array(secret.utf8)).filter(SecretEncoding.isText)
            .map { String(decoding: $0, as: UTF8.self) }
        return ([secret] + texts).contains(where: isPart)
    }

    /// Whether `secret` is a placeholder of tutorials.
    public static func isPlaceholder(_ secret: String) -> Bool {
        if secret.hasPrefix("<"), secret.hasSuffix(">") { return true }
        let letters = secret.lowercased().filter { $0.isASCII && $0.isLetter }
        if letters.count >= 3, letters.allSatisfy({ $0 == "x" }), letters.count == secret.count {
            return true
        }
        let nouns = ["clientsecret", "clientsecretvalue", "secret", "secretvalue", "appsecret"]
        let phrases = nouns.flatMap { noun in
            ["your\(noun)", "your\(noun)here", "enteryour\(noun)", "enter\(noun)here", "my\(noun)"]
        }
        return (phrases + ["changeme", "replaceme", "todo", "clientsecret"]).contains(letters)
    }
}
