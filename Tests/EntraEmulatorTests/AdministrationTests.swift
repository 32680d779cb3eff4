import HTTPTypes
import JOSE
import Jansson
import Testing

@testable import EntraEmulator

@Suite struct AdministrationTests {
    private static func administration(_ scene: Scene) throws -> Administration {
        Administration(scene.emulator, at: try #require(Origin("http://localhost:8082")))
    }

    private static func send(
        _ scene: Scene,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ fields: HTTPFields = [:],
        body: String = "",
        authority: String = "localhost:8082"
    ) throws -> EmulatorResponse {
        let request = HTTPRequest(
            method: method,
            scheme: "http",
            authority: authority,
            path: path,
            headerFields: fields
        )
        return try administration(scene).respond(
            to: EmulatorRequest(request, body: Array(body.utf8))
        )
    }

    @Test func `a fault shows once, or until further notice`() throws {
        let scene = try Scene()
        let wrong = ["name": "nonce-wrong"] as JSON
        #expect(try scene.order("/faults", wrong).status == 200)
        #expect(try scene.claims(scene.idToken())["nonce"] == "nA")
        #expect(try scene.claims(scene.idToken())["nonce"] == "n")
        _ = try scene.order("/faults", ["name": "nonce-wrong", "until": "further-notice"])
        for _ in 0..<2 { #expect(try scene.claims(scene.idToken())["nonce"] == "nA") }
        _ = try scene.order("/faults", ["name": "all", "until": "off"])
        #expect(try scene.claims(scene.idToken())["nonce"] == "n")
    }

    /// Each fault of an ID token makes another token than a sound one.
    @Test(arguments: Fault.allCases.filter { $0.target == .idToken })
    func `each fault of a token can be seen in it`(fault: Fault) throws {
        let scene = try Scene()
        _ = try scene.order("/faults", ["name": .string(fault.rawValue)])
        let claims = #"{"id_token":{"acrs":{"value":"c9"}}}"#
        let code = scene.signIn(Scene.alice, ["claims": claims])["code"]
        let answer = scene.redeem(["code": code])
        #expect(answer.status == 200)
        guard let token = answer.json["id_token"]?.string else {
            #expect(fault == .idTokenMissing)
            return
        }
        let keys = try JSON(parsing: scene.send(.get, "/\(Scene.id)/discovery/v2.0/keys").body)
        let found = scene.soundClaims(token)
        let signature = JSONWebSignature(compact: token)
        let key = keys["keys"]?.array?.first {
            $0["kid"]?.string == signature?.unverifiedHeader.keyID
        }
        let seen: Bool =
            switch fault {
            case .issuerWrong: found?["iss"]?.string?.contains("deadbeef") == true
            case .audienceWrong: found?["aud"]?.string != Scene.client
            case .nonceWrong: found?["nonce"] == "nA"
            case .nonceMissing: found != nil && found?["nonce"] == nil
            case .tenantWrong: found?["tid"]?.string?.hasPrefix("deadbeef") == true
            case .tenantMissing: found != nil && found?["tid"] == nil
            case .objectIDMissing: found != nil && found?["oid"] == nil
            case .expired: (found?["exp"]?.integer ?? .max) <= 1_800_000_000 - 3600
            case .notYetValid: (found?["nbf"]?.integer ?? 0) >= 1_800_000_000 + 3600
            case .version1: found?["ver"] == "1.0"
            case .contextMissing: found != nil && found?["acrs"] == nil
            case .contextWrong: found?["acrs"]?.strings == ["c25"]
            // The strict reader of JSON refuses a name that is there twice.
            case .claimTwice: found == nil && key != nil
            case .claimTwiceInOtherCase: found?["TID"] != nil
            case .algorithmNone: token.hasSuffix(".") && signature == nil
            case .algorithmHS256: signature == nil
            case .signatureBroken: found == nil && key != nil
            case .keyUnknown: signature?.unverifiedHeader.keyID != nil && key == nil
            case .keyOfOtherIssuer: key?["issuer"]?.string?.contains(Tenant.consumersID) == true
            case .keyOfOtherCloud: key?["cloud_instance_name"] == "microsoftonline.us"
            default: false
            }
        #expect(seen)
    }

    @Test(arguments: [
        ("throttled", 429), ("unavailable", 503), ("garbage", 200), ("empty", 200), ("huge", 200),
    ])
    func `an endpoint can be spoilt, and the others stay well`(fault: String, status: Int) throws {
        let scene = try Scene()
        let code = scene.signIn()["code"]
        _ = try scene.order(
            "/faults",
            ["name": .string(fault), "endpoint": "token", "seconds": 7]
        )
        let keys = scene.send(.get, "/\(Scene.id)/discovery/v2.0/keys")
        #expect(JSONWebKeySet(parsing: keys.body) != nil)
        let answer = scene.send(.post, "/\(Scene.id)/oauth2/v2.0/token", "x=y")
        #expect(answer.http.status.code == status)
        if status != 200 { #expect(answer.http.headerFields[.retryAfter] == "7") }
        if fault == "huge" { #expect(answer.body.count > 10 << 20) }
        // The code was not used up by it.
        #expect(scene.redeem(["code": code]).status == 200)
    }

    @Test func `an answer may be slow, or break off`() throws {
        let scene = try Scene()
        _ = try scene.order("/faults", ["name": "slow", "endpoint": "keys", "seconds": 9])
        _ = try scene.order("/faults", ["name": "truncated", "endpoint": "keys"])
        let answer = scene.send(.get, "/\(Scene.id)/discovery/v2.0/keys")
        #expect(answer.delaySeconds == 9 && answer.isTruncated)
    }

    @Test func `Entra refuses with the number that is asked for`() throws {
        let scene = try Scene()
        _ = try scene.order("/faults", ["name": "sign-in-error", "number": 65004])
        let told = scene.send(.get, Scene.authorize())
        #expect(told.http.headerFields[.location]?.contains("error_subcode=cancel") == true)
        _ = try scene.order("/faults", ["name": "sign-in-error", "number": 53003])
        #expect(scene.page(.get, Scene.authorize()).contains("AADSTS53003"))
        _ = try scene.order("/faults", ["name": "token-error", "number": 7_000_222])
        let code = scene.signIn()["code"]
        let answer = scene.redeem(["code": code])
        #expect(answer.status == 401 && answer.json["error_codes"] == [7_000_222])
        #expect(try scene.order("/faults", ["name": "token-error", "number": 1]).status == 400)
    }

    @Test func `the clock moves for all that has a time`() throws {
        let scene = try Scene()
        let code = scene.signIn()["code"]
        let answer = try scene.order("/clock", ["advance": 601])
        #expect(answer.json["clock_offset"] == 601)
        #expect(scene.redeem(["code": code]).json["error_codes"] == [70008])
        #expect(try scene.claims(scene.idToken())["iat"] == 1_800_000_301)
        #expect(try scene.order("/clock", ["advance": 999_999_999]).status == 400)
        #expect(try scene.order("/clock", [:]).status == 400)
    }

    /// The distance of the smallest number from zero is no number.
    @Test(arguments: ["advance", "offset"])
    func `the clock refuses the smallest and the greatest number`(name: String) throws {
        let scene = try Scene()
        _ = try scene.order("/clock", ["advance": -86_400])
        for number in [Int.min, Int.max] {
            let answer = try scene.order("/clock", .object([name: .integer(number)]))
            #expect(answer.status == 400)
            #expect(answer.json["error"]?.string?.contains("400 days") == true)
        }
        #expect(scene.emulator.clockOffset == -86_400)
    }

    @Test(arguments: [
        ("{\"name\": ", "the body is not JSON"), ("name=expired", "the body is not JSON"),
        ("[\"expired\"]", "the body is not a JSON object"), ("{}", "'name' is missing"),
    ])
    func `a body that is not a JSON object is refused as such`(body: String, message: String) throws
    {
        let answer = try Self.send(try Scene(), .post, "/faults", body: body)
        #expect(answer.http.status == .badRequest)
        #expect(try JSON(parsing: answer.body)["error"] == .string(message))
    }

    @Test(arguments: ["token-error", "sign-in-error"])
    func `a refusal by number needs the number`(fault: String) throws {
        let answer = try Scene().order("/faults", ["name": .string(fault)])
        let message = "'number' is missing; give an AADSTS number such as 50105"
        #expect(answer.status == 400 && answer.json["error"] == .string(message))
    }

    @Test func `keys change in each of the ways`() throws {
        let scene = try Scene()
        func published() throws -> Set<String> {
            let json = try JSON(parsing: scene.send(.get, "/\(Scene.id)/discovery/v2.0/keys").body)
            return Set((json["keys"]?.array ?? []).compactMap { $0["kid"]?.string })
        }
        func signing() throws -> String {
            try #require(JSONWebSignature(compact: scene.idToken())?.unverifiedHeader.keyID)
        }
        let old = try signing()
        _ = try scene.order("/keys", ["change": "publish"])
        let announced = try published()
        #expect(try signing() == old)
        _ = try scene.order("/keys", ["change": "adopt"])
        let new = try signing()
        #expect(new != old && announced.contains(new))
        _ = try scene.order("/keys", ["change": "retire"])
        #expect(try !published().contains(old) && published().contains(new))
        _ = try scene.order("/keys", ["change": "rotate"])
        #expect(try signing() != new && published().contains(new))
        _ = try scene.order("/keys", ["change": "replace"])
        #expect(try !published().contains(new))
        #expect(try scene.order("/keys", ["change": "eat"]).status == 400)
    }

    @Test func `people change, and everything is put back`() throws {
        let scene = try Scene()
        let path = "/users/\(Scene.bob)"
        _ = try scene.order(path, ["change": "add-role", "value": "IT"])
        #expect(try scene.claims(scene.idToken(Scene.bob))["roles"] == ["IT"])
        _ = try scene.order(path, ["change": "disable"])
        #expect(scene.page(.post, Scene.authorize(), "account=\(Scene.bob)").contains("50057"))
        #expect(try scene.order("/users/nobody", ["change": "disable"]).status == 404)
        _ = try scene.order("/faults", ["name": "expired", "until": "further-notice"])
        _ = try scene.order("/reset", [:])
        #expect(try scene.claims(scene.idToken(Scene.bob))["roles"] == nil)
    }

    @Test func `what happened is told`() throws {
        let scene = try Scene()
        _ = try scene.idToken()
        let events = try JSON(parsing: try Self.send(scene, .get, "/events").body)
        let kinds = (events.array ?? []).compactMap { $0["event"]?.string }
        #expect(kinds == ["sign-in", "token"])
        #expect(!events.text.contains("emulated~secret"))
    }

    @Test func `a page of another site orders nothing`() throws {
        let scene = try Scene()
        let form: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .origin: "https://evil.example",
        ]
        let answer = try Self.send(scene, .post, "/faults", form, body: "name=expired")
        #expect(answer.http.status == .forbidden)
        #expect(scene.emulator.faults.all.isEmpty)
        let rebound = try Self.send(scene, .get, "/", authority: "evil.example")
        #expect(rebound.http.status.code == 421)
    }

    @Test func `the page switches faults by forms`() throws {
        let scene = try Scene()
        let form: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .origin: "http://localhost:8082",
        ]
        let answer = try Self.send(scene, .post, "/faults", form, body: "name=expired&until=once")
        #expect(answer.http.status == .seeOther)
        let page = String(decoding: try Self.send(scene, .get, "/").body, as: UTF8.self)
        #expect(Fault.allCases.allSatisfy { page.contains("<code>\($0.rawValue)</code>") })
        #expect(page.contains("<td class=\"on\">once</td>"))
        let wrong = try Self.send(scene, .post, "/faults", form, body: "name=nothing")
        #expect(String(decoding: wrong.body, as: UTF8.self).contains("unknown fault"))
    }

    /// Managed identities: only with the header that no browser sends by itself.
    @Test func `a machine gets a token of its identity`() throws {
        let scene = try Scene()
        let query = "resource=api%3A%2F%2FAzureADTokenExchange"
        let metadata = try #require(HTTPField.Name("Metadata"))
        let path = "/metadata/identity/oauth2/token?api-version=2018-02-01&\(query)"
        #expect(try Self.send(scene, .get, path).http.status == .badRequest)
        let answer = try Self.send(scene, .get, path, [metadata: "true"])
        let json = try JSON(parsing: answer.body)
        let claims = try scene.claims(try #require(json["access_token"]?.string))
        #expect(claims["sub"] == "77777777-cccc-4000-8000-000000000002")
        #expect(claims["iss"]?.string == "http://localhost:8081/\(Scene.id)/v2.0")
        #expect(json["expires_in"] == "86400")
        let header = try #require(HTTPField.Name("X-IDENTITY-HEADER"))
        let service = try Self.send(
            scene,
            .get,
            "/msi/token?api-version=2019-08-01&\(query)",
            [header: "anything"]
        )
        let members = try JSON(parsing: service.body).members?.names ?? []
        #expect(members.contains("expires_on") && !members.contains("expires_in"))
        let other = try Self.send(scene, .get, path + "&client_id=nobody", [metadata: "true"])
        #expect(other.http.status == .badRequest)
        #expect(try JSON(parsing: other.body)["error"] == "invalid_request")
        let refused = try Self.send(scene, .get, "/msi/token?\(query)", [header: "anything"])
        #expect(try JSON(parsing: refused.body)["statusCode"] == 400)
    }
}
