import JOSE
import OpenSSL

/// The rule for cookie secrets: 32 to 64 random bytes in hexadecimal, base64 or base64url.
///
/// Keys are derived without stretching, so whoever guesses a secret can make sessions. What a person
/// invented is therefore refused wherever it shows. Chance looks like that once in ten million
/// secrets.
enum CookieSecret {
    /// The first 64 bits of SHA-256 of published secrets, each as 32 bytes in base64url and then in
    /// lower case, so that the list does not publish them again: from the documentation of FastAPI,
    /// Flask, Python and OAuth2 Proxy, from RFC 7515, RFC 7636 and NIST SP 800-38A, π in
    /// hexadecimal, and the one in the tests of this project.
    private static let published: Set<Substring> = Set(
        """
        0e680ec3115cb297 01bbdc412f0b9817 ff0b7027e273d872 453a6f6206b9e2fa 3599ccd0b32fe2c5 \
        190f110dd207aba1 6196bc6ee783ecfb 0e2e175d95320b89 9894c85c551eaeb1 69a19c1516e0e15c
        """.split(separator: " ")
    )

    /// Words whose SHA-256 in hexadecimal people take for a secret.
    private static let words =
        " password passwort secret secrets cookie changeme admin test hello siteauth 123456 12345678"
        .split(separator: " ", omittingEmptySubsequences: false)

    /// What is wrong with a secret, or `nil`; the text does not contain the secret.
    static func problem(of secret: String) -> String? {
        guard let bytes = decoded(secret), (32...64).contains(bytes.count) else {
            return "must be 32 to 64 random bytes in hexadecimal or base64"
        }
        if isPublished(bytes) { return "is or contains a published example" }
        let isHexadecimal = secret.allSatisfy(\.isHexDigit)
        let isRandom =
            isVaried(bytes, least: bytes.count * 5 / 8) && !isText(bytes)
            && isVaried(Array(secret.utf8), least: isHexadecimal ? 11 : 19)
            && (isHexadecimal || !readsAsWords(secret))
        return isRandom ? nil : "is not random: it repeats itself, counts or has words"
    }

    /// The decoded bytes, or `nil` for a text that no encoder writes.
    private static func decoded(_ secret: String) -> [UInt8]? {
        let digits = secret.compactMap(\.hexDigitValue).map { UInt8($0) }
        // Digits of other scripts have several bytes.
        if digits.count == secret.utf8.count {
            guard digits.count.isMultiple(of: 2) else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map {
                digits[$0] << 4 | digits[$0 + 1]
            }
        }
        let standard = ["+": "-", "/": "_"] as [Character: Character]
        var text = String(secret.map { standard[$0] ?? $0 })
        if text.utf8.count.isMultiple(of: 4) {
            for _ in 0..<2 where text.hasSuffix("=") { text.removeLast() }
        }
        return Base64URL.decode(text)
    }

    private static func isPublished(_ bytes: [UInt8]) -> Bool {
        let isExample = (32...bytes.count).contains { end in
            let text = Base64URL.encode(Array(bytes[(end - 32)..<end])).lowercased()
            let digest = Digest.hexadecimal(Digest.sha256(Array(text.utf8)).prefix(8))
            return published.contains(digest[...])
        }
        return isExample
            // With the line end that `echo` prints, too.
            || words.flatMap { [Array($0.utf8), Array("\($0)\n".utf8)] }
                .contains { Digest.sha256($0) == bytes }
    }

    /// Whether many values occur, and many steps from one to the next.
    private static func isVaried(_ values: [UInt8], least: Int) -> Bool {
        let steps = zip(values, values.dropFirst()).map { $1 &- $0 }
        return Set(values).count >= least && Set(steps).count >= least
    }

    /// Whether it is text in UTF-8, without control characters but line ends and tabs.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || [9, 10, 13].contains($0) }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    /// Whether a text that happens to be base64 is a passphrase: in one case but for a letter, or
    /// half of it the ten commonest letters of English and German.
    private static func readsAsWords(_ text: String) -> Bool {
        func count(_ letters: String) -> Int { text.count(where: letters.contains) }
        return min(text.count(where: \.isLowercase), text.count(where: \.isUppercase)) < 2
            || max(count("etaoinsrhl"), count("ETAOINSRHL")) * 2 >= text.count
    }
}
