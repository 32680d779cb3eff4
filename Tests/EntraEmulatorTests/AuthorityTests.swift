import HTTPTypes
import JOSE
import Jansson
import Testing

@testable import EntraEmulator

/// The forms of authorities that Microsoft documents.
@Suite struct AuthorityTests {
    private static let external = "66666666-aaaa-4000-8000-000000000006"
    private static let office = "99999999-aaaa-4000-8000-000000000009"

    private static func discovery(_ host: String, _ path: String) throws -> (
        status: Int, json: JSON
    ) {
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: host,
            path: "\(path)/.well-known/openid-configuration"
        )
        let answer = try Scene().emulator.respond(to: EmulatorRequest(request, body: []))
        return (answer.http.status.code, try JSON(parsing: answer.body))
    }

    /// Host, path, issuer; the endpoints stay where the document was asked for.
    @Test(arguments: [
        ("localhost:8081", "/\(Scene.id)/v2.0", "http://localhost:8081/\(Scene.id)/v2.0"),
        ("localhost:8081", "/EXAMPLE.com/v2.0", "http://localhost:8081/\(Scene.id)/v2.0"),
        (
            "login.microsoftonline.com.localhost:8081", "/example.com/v2.0",
            "http://localhost:8081/\(Scene.id)/v2.0"
        ),
        ("localhost:8081", "/organizations/v2.0", "http://localhost:8081/{tenantid}/v2.0"),
        ("localhost:8081", "/common/v2.0", "http://localhost:8081/{tenantid}/v2.0"),
        (
            "localhost:8081", "/consumers/v2.0",
            "http://localhost:8081/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
        ),
        (
            "orchard.ciamlogin.com.localhost:8081", "/orchard.onmicrosoft.com/v2.0",
            "https://\(external).ciamlogin.com/\(external)/v2.0"
        ),
        (
            "localhost:8081", "/\(external)/v2.0",
            "https://\(external).ciamlogin.com/\(external)/v2.0"
        ),
        (
            "login.orchard.localhost:8081", "/\(external)/v2.0",
            "https://\(external).ciamlogin.com/\(external)/v2.0"
        ),
        (
            "login.microsoftonline.us.localhost:8081", "/lighthouses.example/v2.0",
            "http://login.microsoftonline.us.localhost:8081/\(office)/v2.0"
        ),
        (
            "login.microsoftonline.us.localhost:8081", "/common/v2.0",
            "http://login.microsoftonline.us.localhost:8081/{tenantid}/v2.0"
        ),
        ("localhost:8081", "/\(Scene.id)", "https://sts.windows.net/\(Scene.id)/"),
    ])
    func `each authority has its issuer`(host: String, path: String, issuer: String) throws {
        let (status, json) = try Self.discovery(host, path)
        #expect(status == 200)
        #expect(json["issuer"]?.string == issuer)
        #expect(json["token_endpoint"]?.string?.hasPrefix("http://\(host)/") == true)
    }

    @Test(arguments: [
        ("login.microsoftonline.us.localhost:8081", "/example.com/v2.0"),
        ("login.microsoftonline.com.localhost:8081", "/lighthouses.example/v2.0"),
        ("orchard.ciamlogin.com.localhost:8081", "/example.com/v2.0"),
        ("login.microsoftonline.com.localhost:8081", "/\(external)/v2.0"),
    ])
    func `what is known in one cloud is unknown in another`(host: String, path: String) throws {
        let (status, json) = try Self.discovery(host, path)
        #expect(status == 400)
        #expect(json["error_codes"] == [90002])
    }

    /// Microsoft's libraries ask with the authorization endpoint, and lose the port on the way.
    @Test func `the document of clouds names the tenant's own document`() throws {
        let endpoint = "https%3A%2F%2Flocalhost%2F\(Scene.id)%2Foauth2%2Fv2.0%2Fauthorize"
        let path = "/common/discovery/instance?api-version=1.1&authorization_endpoint="
        let json = try JSON(parsing: Scene().send(.get, path + endpoint).body)
        #expect(
            json["tenant_discovery_endpoint"]?.string
                == "http://localhost:8081/\(Scene.id)/v2.0/.well-known/openid-configuration"
        )
    }

    @Test func `a B2C tenant has a document for each policy, and an issuer that ends in a slash`()
        throws
    {
        let toml =
            Directory.builtIn + """

                [[tenant]]
                id = "b2c00000-aaaa-4000-8000-00000000000b"
                kind = "b2c"
                name = "Meadow"
                domains = ["meadow.onmicrosoft.com"]
                subdomain = "meadow"
                policies = ["B2C_1_signin"]
                [[tenant.application]]
                name = "Meadow"
                client_id = "22222222-bbbb-4000-8000-00000000000b"
                redirect_uris = ["http://localhost:8080/auth/callback"]
                [[tenant.application.secret]]
                value = "emulated~secret.is-no-secret_at-all"
                [[tenant.user]]
                object_id = "b2c00000-0000-4000-8000-0000000000b1"
                name = "Maya Meadow"
                user_name = "maya@meadow.example"
                """
        let scene = try Scene(toml)
        let path = "/meadow.onmicrosoft.com/b2c_1_signin"
        let document = try JSON(
            parsing: scene.send(.get, path + "/v2.0/.well-known/openid-configuration").body
        )
        let issuer =
            "http://meadow.b2clogin.com.localhost:8081/b2c00000-aaaa-4000-8000-00000000000b/v2.0/"
        #expect(document["issuer"]?.string == issuer)
        #expect(
            document["token_endpoint"]?.string
                == "http://localhost:8081\(path)/oauth2/v2.0/token"
        )
        let unknown = scene.send(.get, "/meadow.onmicrosoft.com/v2.0/.well-known/x")
        #expect(unknown.http.status == .badRequest)
    }

    @Test func `the public key set lists keys of another cloud and of personal accounts`() throws {
        let keys = try JSON(parsing: Scene().send(.get, "/common/discovery/v2.0/keys").body)
        let all = try #require(keys["keys"]?.array)
        #expect(all.count >= 3)
        let clouds = all.compactMap { $0["cloud_instance_name"]?.string }
        #expect(Set(clouds) == ["microsoftonline.com", "microsoftonline.us"])
        #expect(
            all.contains {
                $0["issuer"]?.string?.contains(Tenant.consumersID) == true
                    && $0["cloud_instance_name"] == nil
            }
        )
    }

    @Test(arguments: [
        (external, "c0570000-0000-4000-8000-000000000061", "22222222-bbbb-4000-8000-000000000006"),
        (office, "60e40000-0000-4000-8000-000000000091", "22222222-bbbb-4000-8000-000000000009"),
    ])
    func `tokens are of the issuer that the document names`(
        tenant: String,
        user: String,
        client: String
    ) throws {
        let scene = try Scene()
        let token = try scene.idToken(user, ["client_id": client], tenant: tenant)
        let claims = try scene.claims(token, tenant: tenant)
        let document = try JSON(
            parsing: scene.send(.get, "/\(tenant)/v2.0/.well-known/openid-configuration").body
        )
        #expect(claims["iss"] == document["issuer"] && claims["tid"]?.string == tenant)
    }

    /// Somebody of any tenant, at `common`: the token is of their own tenant.
    @Test(arguments: [
        ("common", Scene.alice, Scene.id),
        (
            "organizations", "93ace000-0000-4000-8000-000000000021",
            "33333333-aaaa-4000-8000-000000000003"
        ),
        ("common", "00000000-0000-0000-66f3-3332eca7ea81", Tenant.consumersID),
        ("consumers", "00000000-0000-0000-66f3-3332eca7ea81", Tenant.consumersID),
    ])
    func `an application for many tenants gets tokens of each`(
        segment: String,
        user: String,
        tenant: String
    ) throws {
        let scene = try Scene()
        let client = "22222222-bbbb-4000-8000-000000000003"
        let path = Scene.authorize(["client_id": client], tenant: segment)
        let answer = scene.send(.post, path, "account=\(user)&consent=accept")
        let location = try #require(answer.http.headerFields[.location])
        let code = QueryItems(location.drop { $0 != "?" }.dropFirst())["code"]
        let redeemed = scene.redeem(["code": code, "client_id": client], tenant: segment)
        let token = try #require(redeemed.json["id_token"]?.string)
        let claims = try scene.claims(token, tenant: segment)
        #expect(claims["tid"]?.string == tenant)
        #expect(claims["iss"]?.string == "http://localhost:8081/\(tenant)/v2.0")
    }

    /// Whose accounts an application takes, and where it was asked for.
    @Test(arguments: [
        ("common", Scene.client, 50194), ("organizations", Scene.client, 50194),
        ("consumers", Scene.client, 9_002_332), ("marigold.example", Scene.client, 700_016),
        (office, Scene.client, 700_016),
        (Scene.id, "33333333-0000-4000-8000-000000000000", 700_016),
    ])
    func `an application and an authority have to fit`(segment: String, client: String, number: Int)
        throws
    {
        let page = try Scene().page(
            .get,
            Scene.authorize(["client_id": client], tenant: segment)
        )
        #expect(page.contains("AADSTS\(number):"))
    }
}
