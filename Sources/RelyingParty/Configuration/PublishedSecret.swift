import OpenSSL

/// Secrets that stand, or once stood, in our pages, examples and tests: whoever copies one has a
/// secret that anybody can use.
///
/// They are listed by length and SHA-256, in lower case, so that the list does not publish one more
/// time what somebody may be using.
enum PublishedSecret {
    private static let digests: [(count: Int, digest: String)] = [
        (
            23,
            "ce152b1db6c078ca11ae6a636dfca43e14e7796034895d009fcf5ddcc1b18d23"
        ),
        (
            28,
            "80b68d4c8cfe6bc50181d8d7482010b2e20a7be14c5b8678b03909a731c298e9"
        ),
        (
            32,
            "3eb1bd439947eb762998e566ccc2e099c791118b2f40579cc4f7da2b5061b7f9"
        ),
        (
            32,
            "4ba68aa8767bde72e8c798ee82d1275291cea73e72ad74d35ecf48e41386eb82"
        ),
        (
            32,
            "9e93c5536ffea3a9f76d72fe8355539214acb04d333f45173623ad416b7ad3a1"
        ),
        (
            35,
            "330285dfa4092fec4074d01e37059ea17abf320c063919b2feb7377374eb3441"
        ),
        (
            38,
            "b06b0f38ca47e329a8f9db0a2999a094fc3867995028059140d58e2917d9d995"
        ),
        (
            39,
            "c2bc31d7bbbf2e5b02f6c8c8d5743272acf89be353bbc3006a4d4bbbbf2a7796"
        ),
    ]

    /// Whether a published secret is in it, whatever somebody wrote before or behind that.
    static func isPart(of secret: String) -> Bool {
        let bytes = Array(secret.lowercased().utf8.prefix(SecretStrength.maximumBytes))
        return digests.contains { count, digest in
            guard bytes.count >= count else { return false }
            return (0...(bytes.count - count)).contains { start in
                let part = Array(bytes[start..<start + count])
                let hexadecimal = Hexadecimal.encode(Digest.sha256(part))
                return hexadecimal.elementsEqual(digest.utf8)
            }
        }
    }

    /// Whether it is what tutorials have where a secret of one's own belongs.
    static func isPlaceholder(_ secret: String) -> Bool {
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
