import Foundation
import JOSE
import OpenSSL
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

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

    /// What a cookie was sealed with once opens it for ever: these are from before the rule.
    @Test(arguments: [
        (inOurTests, "fJMC-AABAgMEBQYHCAkKC1mdT3CkKd4RhV9uvwQJhOsi5ae4BlsVsRI"),
        (inOurTests + "=", "N0nwVwABAgMEBQYHCAkKCxteey-4rtcYPbmSA8ptnGXoEz-PIqTV8ok"),
        (
            "a57daff320aad0bc3b4644f9759d5b1a1378b099bd7947c0a18895c7729c4251",
            "oPaKoQABAgMEBQYHCAkKC97EvRLjdhetQGeTLcuxYUgf5z4N8LE5PPU"
        ),
    ])
    func `a cookie of an earlier version opens`(secret: String, cookie: String) {
        let instance = "https://docs.example.com client"
        let ring = KeyRing(secrets: [secret], instance: instance) { (0..<$0).map { UInt8($0) } }
        #expect(ring.open(cookie, for: .session) == Array("a session".utf8))
        #expect(ring.seal(Array("a session".utf8), for: .session) == cookie)
    }

    private static let inOurTests = "pX2v8yCq0Lw7RkT5dZ1bGhN4sJm9eUfAoYiVx3KcQlE"

    @Test(arguments: [
        "09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7",
        "09D25E094FAA6CA2556C818166B7A9563B93F7099F6F0F4CAA6CF63B88E8D3E7",
        "CdJeCU+qbKJVbIGBZrepVjuT9wmfbw9Mqmz2O4jo0+c=",
        "77" + "09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7" + "3b",
        "192b9bdd22ab9ed4d12e236c78afcb9a393ec15f71bbf5dc987d54727823bcbf",
        "OQINaROshtE9TcZkNAm-5Zs2Pv3xaWytBmc5W7sPX7w=",
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89",
        "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "b37e50cedcd3e3f1ff64f4afc0422084ae694253cf399326868e07a35f4a45fb",
        "XohImNooBHFR0OVvjcYpJ3NgPQ1qq73WKhHvch0VQtg=", inOurTests,
    ])
    func `a secret that documentation of others shows is none`(secret: String) {
        #expect(Self.problems(secret).contains("is or contains a published example"))
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
        "//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA=",
        "WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo=",
        "0008101820283038404850586068707880889098a0a8b0b8c0c8d0d8e0e8f0f8",
        "deadbeef1192deadbeef1192deadbeef1192deadbeef1192deadbeef1192deadbeef1192",
        "f9bf78b9a18ce6d46a0cd2b0b86df9daf9bf78b9a18ce6d46a0cd2b0b86df9da",
        "3141592653589793238462643383279502884197169399375105820974944592",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        "dGhpcyBpcyB0aGUgc2VjcmV0IG9mIHRoZSBjb21wYW55",
        "746869732069732074686520736563726574206f662074686520636f6d70616e79",
        "ZEdocGN5QnBjeUIwYUdVZ2MyVmpjbVYwSUc5bUlIUm9aU0JqYjIxd1lXNTU=",
        "dABoAGkAcwAgAGkAcwAgAHQAaABlACAAcwBlAGMAcgBlAHQAIABvAGYAIAB1AHMA",
        "unbridle-magnetism-subdued-ozone-frisky-clarinet",
        "Unbridle-magnetism-subdued-ozone-frisky-clarinet",
        "TigerVelvetOrbitMangoLanternQuizzicalKitchen",
        "ThisIsTheSecretCookieOfTheHandbookOfOurCompanies",
        "DiesIstDasGeheimnisDesHandbuchsUnsererFirma2028",
        "KUEHE_GRASEN_IM_NEBEL_UND_GUSTAV_FAEHRT_RAD_xyzw",
        "P4ssw0rdP4ssw0rdP4ssw0rdP4ssw0rdP4ssw0rdP4ssw0rd",
    ])
    func `a secret that somebody invented is none`(secret: String) {
        let problems = Self.problems(secret)
        #expect(problems.contains("'cookie_secret' is not random"), "\(problems)")
        #expect(!problems.contains(secret))
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
        "hunter2", "correct horse battery staple, and five more words by dice",
        "the output of: siteauth generate-secret", "M5cT0H1nq2g8uJ7dYwZk3RrXv9eLsAa4",
        // 16 bytes, 31 bytes, 65 bytes.
        "3f9c1e77b0a84d52c6e8f1092b7d5a34",
        "a57daff320aad0bc3b4644f9759d5b1a1378b099bd7947c0a18895c7729c42",
        String(repeating: "a57daff320", count: 13),
        // An odd digit, digits of another script, a prefix, colons, spaces, padding that is wrong,
        // bits after the end.
        "a57daff320aad0bc3b4644f9759d5b1a1378b099bd7947c0a18895c7729c42511",
        "\u{FF11}57daff320aad0bc3b4644f9759d5b1a1378b099bd7947c0a18895c7729c4251",
        "0xa57daff320aad0bc3b4644f9759d5b1a1378b099bd7947c0a18895c7729c4251",
        "a5:7d:af:f3:20:aa:d0:bc:3b:46:44:f9:75:9d:5b:1a:13:78:b0:99:bd:79:47:c0:a1:88:95:c7:72",
        " pX2v8yCq0Lw7RkT5dZ1bGhN4sJm9eUfAoYiVx3KcQlI",
        "pX2v8yCq0Lw7RkT5dZ1bGhN4sJm9eUfAoYiVx3KcQlI==",
        "pX2v8yCq0Lw7RkT5dZ1bGhN4sJm9eUfAoYiVx3KcQlF",
    ])
    func `a secret in another form is none`(secret: String) {
        let problems = Self.problems(secret)
        #expect(problems.contains("s:3:17: error: 'cookie_secret' must be 32 to 64 random bytes"))
        #expect(problems.contains("'siteauth generate-secret'"))
        #expect(!problems.contains(secret))
    }

    /// What the usual commands make, thousands of times.
    @Test func `what is random always passes`() {
        for count in [32, 48, 64] {
            for _ in 0..<300 {
                let bytes = RandomBytes.next(count)
                let hexadecimal = Digest.hexadecimal(bytes)
                for secret in [
                    Base64URL.encode(bytes), Base64URL.encodeStandard(bytes), hexadecimal,
                    hexadecimal.uppercased(),
                ] {
                    #expect(CookieSecret.problem(of: secret) == nil, "\(secret)")
                }
            }
        }
    }

    @Test(arguments: [
        "22222222-bbbb-4000-8000-000000000002-and-7hK2mQ", "\(TokenFactory.tenant)/7hK2mQ",
        "22222222bbbb40008000000000000002" + "9f1c3e5a7d8b2460c4e6a8f0b1d3579e",
    ])
    func `an id that stands in URLs is no secret`(secret: String) {
        #expect(Self.problems(secret).contains("which is public"))
    }

    @Test(arguments: [
        "the Value of a client secret", "the Value of the secret", "<client secret>",
        "the Value of the client secret", "YOUR_CLIENT_SECRET", "your-client-secret-here",
        "changeme", "xxxxxxxx",
        "emulated~secret.is-no-secret_at-all",
    ])
    func `a client secret that is an example is none`(client: String) {
        let good = AuthConfiguration.newCookieSecret { RandomBytes.next($0) }
        #expect(
            Self.problems(good, client: client).contains("'client_secret' is a published example")
        )
        #expect(!Self.problems(good, client: client).contains(client))
    }
}
