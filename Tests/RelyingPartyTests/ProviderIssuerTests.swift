import Jansson
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// Whose issuer a discovery document may name, by the URL at which it lies.
@Suite struct ProviderIssuerTests {
    private static let ours = TokenFactory.tenant
    private static let other = "33333333-cccc-4000-8000-000000000003"
    private static let personal = AuthConfiguration.personalAccountsTenant

    private static func isRight(_ issuer: String, at base: String) throws -> Bool {
        var document = ProviderTests.Fake.document
        document["issuer"] = .string(issuer)
        let url = try #require(WebURL(base + "/v2.0/.well-known/openid-configuration"))
        // Otherwise the document would be refused for its endpoints, whatever the issuer.
        if url.isLoopback {
            for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
                document[name] = .string(url.origin + "/e")
            }
        }
        let text = JSON.object(document).text
        return (try? ProviderMetadata.parse(Array(text.utf8), from: url).get()) != nil
    }

    /// The path behind Entra's host, the first segment of the issuer, whether they fit.
    @Test(arguments: [
        (ours, ours, true), (ours, other, false), (ours, "{tenantid}", false),
        (ours, "organizations", false), (ours, personal, false),
        ("contoso.onmicrosoft.com", ours, true), ("contoso.onmicrosoft.com", "{tenantid}", false),
        ("common", "{tenantid}", true), ("organizations", "{tenantid}", true),
        ("common", other, false), ("organizations", other, false), ("Common", other, false),
        ("consumers", personal, true), ("consumers", other, false),
        ("consumers", "{tenantid}", false),
    ])
    func `a tenant of Entra speaks for itself alone`(
        tenant: String,
        named: String,
        isRight: Bool
    ) throws {
        let host = "https://login.microsoftonline.com"
        let issuer = "\(host)/\(named)/v2.0"
        #expect(try Self.isRight(issuer, at: "\(host)/\(tenant)") == isRight)
        let government = "https://login.microsoftonline.us"
        #expect(try !Self.isRight(issuer, at: "\(government)/\(tenant)"))
    }

    /// Host and first segment of the URL, host and first segment of the issuer.
    @Test(arguments: [
        ("larkspur.ciamlogin.com/larkspur.onmicrosoft.com", "\(ours).ciamlogin.com/\(ours)", true),
        ("larkspur.ciamlogin.com/\(ours)", "\(ours).ciamlogin.com/\(ours)", true),
        ("larkspur.ciamlogin.com/\(ours)", "\(other).ciamlogin.com/\(other)", false),
        ("larkspur.ciamlogin.com/\(ours)", "\(other).ciamlogin.com/\(ours)", false),
        ("larkspur.ciamlogin.com/x", "\(other).ciamlogin.com/\(ours)", false),
        ("\(ours).ciamlogin.com/\(ours)", "\(ours).ciamlogin.com/\(ours)", true),
        ("\(ours).ciamlogin.com/\(other)", "\(other).ciamlogin.com/\(other)", false),
        ("\(ours).ciamlogin.com/x", "\(other).ciamlogin.com/\(other)", false),
        ("login.example.com/\(ours)", "\(ours).ciamlogin.com/\(ours)", true),
        ("login.example.com/\(other)", "\(ours).ciamlogin.com/\(ours)", false),
        ("login.example.com/x/\(ours)", "\(ours).ciamlogin.com/\(ours)", false),
        ("login.example.com/x\(ours)", "\(ours).ciamlogin.com/\(ours)", false),
        ("larkspur.ciamlogin.com/x", "\(ours).ciamlogin.com.evil.example/\(ours)", false),
    ])
    func `an external tenant speaks for itself alone`(
        url: String,
        issuer: String,
        isRight: Bool
    ) throws {
        #expect(try Self.isRight("https://\(issuer)/v2.0", at: "https://\(url)") == isRight)
    }

    /// Host and path of the URL, host and path of the issuer.
    @Test(arguments: [
        ("localhost:8081/\(ours)", "localhost:8081/\(ours)", true),
        ("localhost:8081/\(ours)", "localhost:8081/\(other)", false),
        ("localhost:8081/\(ours.uppercased())", "localhost:8081/\(other)", false),
        ("localhost:8081//\(ours)", "localhost:8081/\(other)", false),
        ("localhost:8081/\(ours)", "localhost:8081/{tenantid}", false),
        ("localhost:8081/\(ours)", "localhost:8081/common", false),
        ("localhost:8081/\(ours)", "localhost:8081/x/\(ours)", false),
        ("localhost:8081/\(ours)", "localhost:8082/\(ours)", false),
        ("localhost:8081/\(ours)", "localhost:8081", false),
        ("127.0.0.1:8081/\(ours)", "127.0.0.1:8081/\(other)", false),
        ("[::1]:8081/\(ours)", "[::1]:8081/\(other)", false),
        ("login.localhost/\(ours)", "login.localhost/\(other)", false),
        (
            "larkspur.ciamlogin.com.localhost/\(ours)", "\(other).ciamlogin.com.localhost/\(other)",
            false
        ),
        ("localhost:8081/contoso.onmicrosoft.com", "localhost:8081/\(ours)", true),
        ("localhost:8081/common", "localhost:8081/{tenantid}", true),
        ("localhost:8081/common", "localhost:8081/\(other)", false),
    ])
    func `on this machine, too, a tenant speaks for itself alone`(
        url: String,
        issuer: String,
        isRight: Bool
    ) throws {
        #expect(try Self.isRight("http://\(issuer)/v2.0", at: "http://\(url)") == isRight)
    }
}
