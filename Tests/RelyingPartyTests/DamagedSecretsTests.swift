import Diagnostics
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// What a slip of the pen, or somebody else, can do to `secrets.toml`.
@Suite struct DamagedSecretsTests {
    private static let head = """
        [auth]
        redirect_uri = "https://docs.example.com/auth/callback"
        cookie_secret = "\(World.cookieSecret)"
        client_id = "id"
        client_secret = "abc~secret"
        authority = "https://login.microsoftonline.com/common"

        """

    private static func parse(_ toml: String) -> (AuthConfiguration?, [Diagnostic]) {
        let parsed = AuthConfiguration.parse(
            Array(toml.utf8),
            path: "secrets.toml",
            environment: [:]
        )
        return (parsed.configuration, parsed.diagnostics.filter { $0.severity == .error })
    }

    @Test func `no control character drops 'allowed_tenants'`() {
        let tenant = TokenFactory.tenant
        let head = Self.head.replacing("/common", with: "/\(tenant)")
        let last = "allowed_tenants = [\"\(tenant)\"]\n"
        #expect(Self.parse(head + last).0?.allowedTenants == .these([tenant]))
        for control in ["\0", "\u{1}", "\u{1B}", "\u{7F}"] {
            for location in ["\(control) \n", "# \(control) \n", "x = \"\(control)\"\n"] {
                let (configuration, errors) = Self.parse(head + location + last)
                #expect(configuration == nil)
                #expect(errors.map(\.location?.line) == [7])
            }
        }
        // A carriage return ends a line, so the next key is no part of a comment.
        for line in ["\r\n", "# \r"] {
            #expect(Self.parse(head + line + last).0?.allowedTenants == .these([tenant]))
        }
        #expect(Self.parse(head + "x = \"\r\"\n" + last).0 == nil)
    }

    // A siteauth that runs keeps its configuration where there is none to take its place.
    @Test(arguments: ["[\n", "[$", "[=", "[[=", "[é]", "d=[}", "e=2026-11-23t:"])
    func `a line half typed is a mistake and ends nothing`(line: String) {
        let (configuration, errors) = Self.parse(Self.head + line)
        #expect(configuration == nil)
        #expect(errors.map(\.location?.line) == [7])
    }

    @Test(arguments: ["abc~secret", "\"abc~secret", "abc~secret\"", "'abc~secret\""])
    func `a secret without its quotes is not in the message`(value: String) {
        let text = Self.head.replacing("\"abc~secret\"", with: value)
        let (configuration, errors) = Self.parse(text)
        #expect(configuration == nil && errors.count == 1)
        #expect(errors.allSatisfy { !$0.text(program: "siteauth").contains("~") })
    }

    @Test func `a tenant that is not one is told at its place in the list`() {
        let list = "allowed_tenants = [\"\(TokenFactory.tenant)\", \"contoso\"]\n"
        let (_, errors) = Self.parse(Self.head + list)
        let start = "allowed_tenants = [\"\(TokenFactory.tenant)\", ".utf8.count
        #expect(errors.map(\.location?.column) == [start + 1])
        #expect(errors.map(\.location?.length) == [9])
    }
}
