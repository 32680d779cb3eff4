import Foundation
import JOSE
import OpenSSL
import Testing

@testable import RelyingParty
@testable import Secrets

/// Secrets that everybody knows, or soon guesses, are none.
@Suite struct CookieSecretTests {
    private static func problems(_ secret: String, client: String = "a~secret.of-ours") -> String {
        let toml = """
            [auth]
            redirect_uri = "https://docs.example.com/auth/callback"
            cookie_secret = '\(secret)'
            client_id = "22222222-bbbb-4000-8000-000000000002"
            client_secret = '\(client)'
            authority = "https://login.microsoftonline.com/\(TokenFactory.tenant)"
            """
        let parsed = AuthConfiguration.parse(Array(toml.utf8), path: "s", environment: [:])
        return parsed.diagnostics.filter { $0.severity == .error }
            .map { $0.text(program: "siteauth") }.joined()
    }

    @Test(arguments: [
        "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210",
        "the output of: siteauth generate-secret", "the output of: openssl rand -base64 32",
        "M5cT0H1nq2g8uJ7dYwZk3RrXv9eLsAa4", "prefix-m5cT0H1nq2g8uJ7dYwZk3RrXv9eLsAa4-suffix",
    ])
    func `a secret that a page of ours showed is none`(secret: String) {
        #expect(Self.problems(secret).contains("a published example"))
    }

    @Test(arguments: [
        "09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7",
        "09D25E094FAA6CA2556C818166B7A9563B93F7099F6F0F4CAA6CF63B88E8D3E7",
        "f9bf78b9a18ce6d46a0cd2b0b86df9da",
        "192b9bdd22ab9ed4d12e236c78afcb9a393ec15f71bbf5dc987d54727823bcbf",
        "pseudorandomly generated server secret key",
        "OQINaROshtE9TcZkNAm-5Zs2Pv3xaWytBmc5W7sPX7w=",
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "MDlkMjVlMDk0ZmFhNmNhMjU1NmM4MTgxNjZiN2E5NTYzYjkzZjcwOTlmNmYwZjRjYWE2Y2Y2M2I4OGU4ZDNlNw==",
    ])
    func `a secret that documentation of others shows is none`(secret: String) {
        #expect(Self.problems(secret).contains("a published example"))
    }

    @Test func `a secret that the provider knows is none`() {
        let secret = AuthConfiguration.newCookieSecret { RandomBytes.next($0) }
        let problems = Self.problems(secret, client: secret)
        #expect(problems.contains("'cookie_secret' is the same as 'client_secret'"))
        #expect(!problems.contains(secret))
    }

    @Test(arguments: [
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "00:01:02:03:04:05:06:07:08:09:0a:0b:0c:0d:0e:0f:10:11:12:13:14:15:16:17:18:19:1a:1b:1c:1d:1e:1f",
        "//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA=",
        "WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo=",
        "0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8",
        "deadbeef1192deadbeef1192deadbeef1192deadbeef1192deadbeef1192deadbeef1192",
        "dGhpcyBpcyB0aGUgc2VjcmV0IG9mIHRoZSBjb21wYW55",
        "746869732069732074686520736563726574206f662074686520636f6d70616e79",
        "ZEdocGN5QnBjeUIwYUdVZ2MyVmpjbVYwSUc5bUlIUm9aU0JqYjIxd1lXNTU=",
        "NzQ2ODY5NzMyMDY5NzMyMDc0Njg2NTIwNzM2NTYzNzI2NTc0MjA2ZjY2MjA3NDY4NjUyMDYzNmY2ZDcwNjE2ZTc5",
        "dABoAGkAcwAgAGkAcwAgAHQAaABlACAAcwBlAGMAcgBlAHQAIABvAGYAIAB0AGgAZQAgAGMAbwBtAHAAYQBuAHkA",
        "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "b37e50cedcd3e3f1ff64f4afc0422084ae694253cf399326868e07a35f4a45fb",
        "XohImNooBHFR0OVvjcYpJ3NgPQ1qq73WKhHvch0VQtg=",
        "d033e22ae348aeb5660fc2140aec35850c4da997",
        "3.14159265358979323846264338327950288",
        "31415926535897932384626433832795",
        "27182818284590452353602874713526",
    ])
    func `what is easy to guess is so in hexadecimal and base64`(secret: String) {
        let problems = Self.problems(secret)
        #expect(problems.contains("is easy to guess"), "\(SecretStrength(of: secret).bits)")
        #expect(!SecretStrength(of: secret).isRandomKey)
    }

    /// Whatever stands behind 'cookie_secret' in the handbook now is refused, too.
    @Test func `no page shows a secret that works`() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        var found = 0
        let folder = root.appending(path: "site")
        for file in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            ?? .init()
        {
            guard let file = file as? URL, file.pathExtension == "md" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for line in text.split(separator: "\n") where line.hasPrefix("cookie_secret = ") {
                for secret in line.split(separator: "\"").enumerated() where secret.offset % 2 == 1
                {
                    #expect(Self.problems(String(secret.element)) != "", "\(line)")
                    found += 1
                }
            }
        }
        #expect(found >= 3)
    }

    @Test(arguments: [
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "abababababababababababababababab",
        "abcdefghijklmnopqrstuvwxyz012345", "changemechangemechangemechangeme",
        "qwertyuiopasdfghjklzxcvbnm123456", "1q2w3e4r5t6y7u8i9o0p1q2w3e4r5t6y",
        "12345678901234567890123456789012", "this-is-a-very-long-secret-password",
        "super-secret-cookie-password-12345", "P@ssw0rdP@ssw0rd!P@ssw0rd!P@ssw0rd",
        "00000000-0000-0000-0000-000000000000", "6f2c0000-0000-0000-0000-000000000001",
        "please-change-this-secret-in-production", "my secret key for the company handbook",
        "2026-11-22 2026-11-23 2026-11-24 2026", "llanfairpwllgwyngyll llanfairpwllgwyngyll",
        "secret secret secret secret secret secret", "deadbeefdeadbeefdeadbeefdeadbeef",
        "correct horse battery staple!!!!", "ILoveMyCompanyILoveMyCompany1234",
    ])
    func `a secret that somebody soon guesses is none`(secret: String) {
        let problems = Self.problems(secret)
        #expect(problems.contains("is easy to guess"), "\(SecretStrength(of: secret).bits)")
        #expect(!problems.contains(secret))
    }

    @Test(arguments: [
        "unbridle-magnetism-subdued-ozone-frisky-clarinet",
        "tiger velvet orbit mango lantern quiz", "TigerVelvetOrbitMangoLanternQuizzical",
        "Kühe grasen im Nebel, Gustav fährt Rad", "kqzvjwxhgfpylmbdtrncoueaisqwzxhv",
        "jQ7#vL2!pX9$wM4^tR8&zB3*nK6(hD5)", "48151623428675309271828314159265",
        "3f9c1e77b0a84d52c6e8f1092b7d5a34",
    ])
    func `a secret that takes long to guess is one, and is stretched`(secret: String) {
        let strength = SecretStrength(of: secret)
        #expect(Self.problems(secret) == "", "\(strength.bits)")
        #expect(!strength.isRandomKey)
    }

    /// What the usual commands make, thousands of times.
    @Test func `what is random always passes, and needs no stretching`() {
        var least = Double.infinity
        for _ in 0..<200 {
            let bytes = RandomBytes.next(32)
            let secrets = [
                Base64URL.encode(bytes), Base64URL.encodeStandard(bytes),
                String(decoding: Hexadecimal.encode(bytes), as: UTF8.self),
                String(decoding: Hexadecimal.encode(bytes), as: UTF8.self).uppercased(),
                UUID().uuidString + UUID().uuidString,
                "\(UUID().uuidString)-\(UUID().uuidString)".lowercased(),
            ]
            for secret in secrets {
                let strength = SecretStrength(of: secret)
                least = min(least, strength.bits)
                #expect(strength.isRandomKey, "\(secret) \(strength.bits)")
                #expect(!SecretEncoding.decodings(of: Array(secret.utf8)).isEmpty)
            }
            let short = String(decoding: Hexadecimal.encode(bytes.prefix(16)), as: UTF8.self)
            #expect(SecretStrength(of: short).bits >= SecretStrength.enough, "\(short)")
        }
        #expect(least >= SecretStrength.ofRandomKey, "\(least)")
    }

    @Test(arguments: [
        "22222222-bbbb-4000-8000-000000000002-and-7hK2mQ", "\(TokenFactory.tenant)/7hK2mQ",
    ])
    func `an id that stands in URLs is no secret`(secret: String) {
        #expect(Self.problems(secret).contains("which is public"))
    }

    @Test(arguments: [
        "the Value of a client secret", "the Value of the secret", "<client secret>",
        "YOUR_CLIENT_SECRET", "your-client-secret-here", "changeme", "xxxxxxxx",
        "emulated~secret.is-no-secret_at-all",
    ])
    func `a client secret that is an example is none`(client: String) {
        let good = AuthConfiguration.newCookieSecret { RandomBytes.next($0) }
        #expect(
            Self.problems(good, client: client).contains("'client_secret' is a published example")
        )
        #expect(!Self.problems(good, client: client).contains(client))
    }

    /// A weak one takes long to try, a random one nothing.
    @Test func `keys of a weak secret are stretched, for one site`() throws {
        func ring(_ secret: String, _ instance: String) -> KeyRing {
            KeyRing(secrets: [secret], instance: instance, random: { RandomBytes.next($0) })
        }
        let weak = "tiger velvet orbit mango lantern quiz"
        let sealed = ring(weak, "a").seal([1], for: .session)
        #expect(ring(weak, "a").open(sealed, for: .session) == [1])
        #expect(ring(weak, "b").open(sealed, for: .session) == nil)
        let bytes = Array(weak.utf8)
        let plain = KeyDerivation.key(from: bytes, info: "siteauth 2 key id a", count: 4)
        let stretched = KeyDerivation.stretched(bytes, salt: "siteauth 2 stretch a")
        let id = KeyDerivation.key(from: stretched, info: "siteauth 2 key id a", count: 4)
        #expect(Base64URL.decode(sealed)?.prefix(4) == id[...] && id != plain)
    }
}
