import HTTPTypes
import JOSE
import Jansson
import OpenSSL
import Testing

@testable import EntraEmulator

@Suite struct DiscoveryTests {
    @Test func `the document has Entra's members in Entra's order, and advertises no PKCE`() throws
    {
        let scene = try Scene()
        let response = scene.send(.get, "/example.com/v2.0/.well-known/openid-configuration")
        let json = try JSON(parsing: response.body)
        // A domain in the URL stays in the endpoints; the issuer has the tenant's id.
        #expect(json["issuer"]?.string == "http://localhost:8081/\(Scene.id)/v2.0")
        #expect(
            json["token_endpoint"]?.string == "http://localhost:8081/example.com/oauth2/v2.0/token"
        )
        #expect(
            json.members?.names.prefix(3) == [
                "token_endpoint", "token_endpoint_auth_methods_supported", "jwks_uri",
            ]
        )
        #expect(json["code_challenge_methods_supported"] == nil)
        #expect(response.http.headerFields[.cacheControl] == "max-age=86400, private")
    }

    @Test func `common has a placeholder for an issuer`() throws {
        let response = try Scene().send(.get, "/common/v2.0/.well-known/openid-configuration")
        let json = try JSON(parsing: response.body)
        #expect(json["issuer"]?.string == "http://localhost:8081/{tenantid}/v2.0")
    }

    @Test func `a key is named by the SHA-1 of its certificate and names no algorithm`() throws {
        let response = try Scene().send(.get, "/\(Scene.id)/discovery/v2.0/keys")
        let json = try JSON(parsing: response.body)
        let key = try #require(json["keys"]?.array?.first)
        let certificate = try #require(key["x5c"]?.strings?.first)
        let standard = certificate.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.filter {
            $0 != "="
        }
        let der = try #require(Base64URL.decode(String(standard)))
        #expect(key["kid"]?.string == Base64URL.encode(Digest.sha1(der)))
        #expect(key["alg"] == nil)
        #expect(key["issuer"]?.string == "http://localhost:8081/{tenantid}/v2.0")
        #expect(JSONWebKeySet(parsing: response.body) != nil)
    }

    /// What a document names answers: a page where people come, JSON where programs do.
    @Test(arguments: [
        "", "common/", "organizations/", "consumers/", "orchard.onmicrosoft.com/",
        "meadow.onmicrosoft.com/b2c_1_sign_in/",
    ])
    func `each URL of a document answers`(authority: String) throws {
        let meadow = """

            [[tenant]]
            id = "88888888-aaaa-4000-8000-000000000008"
            name = "Meadow"
            domains = ["meadow.onmicrosoft.com"]
            kind = "b2c"
            subdomain = "meadow"
            policies = ["B2C_1_sign_in"]

            """
        let scene = try Scene(Directory.builtIn + meadow)
        let path = authority.isEmpty ? "\(Scene.id)/" : authority
        for version in ["", "v2.0/"] {
            let document = scene.send(.get, "/\(path)\(version).well-known/openid-configuration")
            let members = try #require(JSON(parsing: document.body).members)
            for name in members.names where name != "issuer" && name != "rbac_url" {
                guard let url = members[name]?.string, url.contains("://") else { continue }
                #expect(url.hasPrefix("http://localhost:8081/"))
                let page = ["authorization_endpoint", "end_session_endpoint"].contains(name)
                for method in [HTTPRequest.Method.get, .post] {
                    let answer = scene.send(method, String(url.dropFirst(21)))
                    let type = answer.http.headerFields[.contentType] ?? ""
                    #expect(answer.http.status != .notFound, "\(name)")
                    #expect(type.hasPrefix(page ? "text/html" : "application/json"), "\(name)")
                    if !page { #expect((try? JSON(parsing: answer.body)) != nil, "\(name)") }
                }
            }
            let hasDeviceCodes = members["device_authorization_endpoint"] != nil
            #expect(hasDeviceCodes == (version == "v2.0/" && !authority.contains("b2c")))
        }
    }

    @Test func `an unknown tenant is a 400 in JSON`() throws {
        let response = try Scene().send(
            .get,
            "/nobody.example/v2.0/.well-known/openid-configuration"
        )
        #expect(response.http.status == .badRequest)
        let json = try JSON(parsing: response.body)
        #expect(json["error"]?.string == "invalid_tenant")
        #expect(json["error_codes"] == [90002])
    }

    @Test(arguments: [
        "http://0.0.0.0:8081", "http://192.168.1.2:8081", "http://entra.example",
        "http://localhost.evil",
        "http://localhost@evil", "ftp://localhost", "localhost:8081", "http://localhost:8081/path",
        "http://localhost:+81",
        "http://127.+1.0.1",
    ])
    func `it plays for this machine only`(base: String) throws {
        #expect(Origin(base) == nil)
    }

    @Test(arguments: [
        "http://localhost:8081", "https://localhost", "http://127.0.0.1:1", "http://[::1]:8081",
        "http://orchard.ciamlogin.com.localhost:8081",
    ])
    func `these names are this machine`(base: String) { #expect(Origin(base)?.text == base) }

    /// A page whose name was made to mean this machine (DNS rebinding) sends its own name.
    @Test func `a request for another host is refused`() throws {
        let scene = try Scene()
        var request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "evil.example",
            path: "/"
        )
        #expect(
            scene.emulator.respond(to: EmulatorRequest(request, body: [])).http.status.code == 421
        )
        request.authority = "localhost:8081"
        #expect(
            scene.emulator.respond(to: EmulatorRequest(request, body: [])).http.status.code == 200
        )
    }

    @Test(arguments: [
        (0, "1970-01-01 00:00:00Z"), (951_782_400, "2000-02-29 00:00:00Z"),
        (1_798_761_599, "2026-12-31 23:59:59Z"), (1_798_761_600, "2027-01-01 00:00:00Z"),
    ])
    func `times are written as Entra writes them`(seconds: Int, text: String) {
        #expect(UniversalTime.text(seconds) == text)
    }
}
