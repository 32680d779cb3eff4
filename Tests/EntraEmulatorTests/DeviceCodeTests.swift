import HTTPTypes
import JOSE
import Jansson
import Testing

@testable import EntraEmulator

/// Signing in for a device that has no browser (RFC 8628, with Entra's errors).
@Suite struct DeviceCodeTests {
    private static let client = "22222222-bbbb-4000-8000-000000000007"
    private static let scope = "openid profile offline_access User.Read"

    private static func ask(
        _ scene: Scene,
        _ changes: [String: String?] = [:],
        tenant: String = Scene.id
    ) -> (status: Int, json: JSON) {
        var items: [String: String?] = ["client_id": client, "scope": scope]
        for (name, value) in changes { items[name] = value }
        let body = QueryItems.encode(items.compactMap { name, value in value.map { (name, $0) } })
        let response = scene.send(.post, "/\(tenant)/oauth2/v2.0/devicecode", body)
        return (response.http.status.code, (try? JSON(parsing: response.body)) ?? .null)
    }

    private static func poll(
        _ scene: Scene,
        _ code: String?,
        _ changes: [String: String?] = [:],
        tenant: String = Scene.id
    ) -> (status: Int, json: JSON) {
        let items: [String: String?] = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": code,
            "client_id": client, "client_secret": nil, "redirect_uri": nil, "code_verifier": nil,
        ]
        return scene.redeem(items.merging(changes) { $1 }, tenant: tenant)
    }

    private static func approve(
        _ scene: Scene,
        _ userCode: String,
        account: String = Scene.alice
    ) -> String {
        scene.page(.post, "/device?user_code=\(userCode)", "account=\(account)&confirmed=1")
    }

    private static func userCode(_ json: JSON) throws -> String {
        try #require(json["user_code"]?.string)
    }

    @Test func `the device waits until somebody has signed in`() throws {
        let scene = try Scene()
        let (status, json) = Self.ask(scene)
        #expect(status == 200)
        #expect(
            json.members?.names == [
                "user_code", "device_code", "verification_uri", "expires_in", "interval", "message",
            ]
        )
        #expect(json["verification_uri"] == "http://localhost:8081/device")
        #expect(json["expires_in"] == 900 && json["interval"] == 5)
        let userCode = try Self.userCode(json)
        #expect(userCode.count == 9 && json["message"]?.string?.contains(userCode) == true)
        let code = json["device_code"]?.string
        let early = Self.poll(scene, code)
        #expect(early.status == 400 && early.json["error"] == "authorization_pending")
        #expect(early.json["error_codes"] == [70016])
        // Entra does not say 'slow_down'.
        #expect(Self.poll(scene, code).json["error"] == "authorization_pending")

        #expect(scene.page(.get, "/device").contains("Enter the code"))
        let spelt = userCode.lowercased().prefix(4) + "-" + userCode.dropFirst(4)
        let picker = scene.page(.post, "/device", "user_code=\(spelt)")
        #expect(picker.contains("Pick an account") && picker.contains("Larkspur command line"))
        let path = "/device?user_code=\(userCode)"
        #expect(scene.page(.post, path, "account=\(Scene.alice)").contains("Confirm sign-in"))
        #expect(Self.poll(scene, code).json["error"] == "authorization_pending")
        #expect(Self.approve(scene, userCode).contains("You are signed in to"))

        let late = Self.poll(scene, code)
        #expect(late.status == 200 && late.json["refresh_token"] != nil)
        let claims = try scene.claims(try #require(late.json["id_token"]?.string))
        #expect(claims["oid"]?.string == Scene.alice && claims["aud"]?.string == Self.client)
        #expect(claims["nonce"] == nil)
        #expect(Self.poll(scene, code).json["error"] == "bad_verification_code")
        // The refresh token needs no secret either.
        let refreshed = scene.redeem([
            "grant_type": "refresh_token", "client_id": Self.client, "client_secret": nil,
            "refresh_token": late.json["refresh_token"]?.string,
        ])
        #expect(refreshed.status == 200)
    }

    @Test func `whoever cancels is heard of`() throws {
        let scene = try Scene()
        let json = Self.ask(scene).json
        let path = try "/device?user_code=\(Self.userCode(json))"
        #expect(scene.page(.post, path, "cancel=1").contains("was told that you cancelled"))
        let answer = Self.poll(scene, json["device_code"]?.string)
        #expect(answer.status == 400 && answer.json["error"] == "authorization_declined")
        // The code is dead, and the page says so.
        #expect(try Self.approve(scene, Self.userCode(json)).contains("is wrong or has expired"))
    }

    @Test func `a code holds for a quarter of an hour`() throws {
        let scene = try Scene()
        let json = Self.ask(scene).json
        scene.now.withLock { $0 += 901 }
        #expect(try Self.approve(scene, Self.userCode(json)).contains("is wrong or has expired"))
        let answer = Self.poll(scene, json["device_code"]?.string)
        #expect(answer.status == 400 && answer.json["error"] == "expired_token")
        #expect(answer.json["error_codes"] == [70020])
    }

    @Test func `a code is one application's and one authority's`() throws {
        let scene = try Scene()
        let code = Self.ask(scene).json["device_code"]?.string
        let secret = "emulated~secret.is-no-secret_at-all"
        let other = Self.poll(
            scene,
            code,
            ["client_id": Scene.client, "client_secret": secret]
        )
        #expect(other.json["error"] == "bad_verification_code")
        #expect(Self.poll(scene, "made-up").json["error_codes"] == [70018])
        #expect(Self.poll(scene, nil).json["error_codes"] == [900_144])
        #expect(Self.poll(scene, code, tenant: "example.com").json["error_codes"] == [700_005])
    }

    /// Entra gives out the code, and refuses when the tokens are fetched.
    @Test func `a confidential application needs the switch for public flows`() throws {
        let confidential: [String: String?] = ["client_id": Scene.client]
        for isOn in [false, true] {
            let toml = Directory.builtIn.replacing(
                "app_roles = [\"HR\", \"IT\"]",
                with: "app_roles = [\"HR\", \"IT\"]\npublic_client_flows = \(isOn)"
            )
            let scene = try Scene(toml)
            let json = Self.ask(scene, confidential).json
            let code = json["device_code"]?.string
            #expect(Self.poll(scene, code, confidential).json["error_codes"] == [70016])
            #expect(try Self.approve(scene, Self.userCode(json)).contains("You are signed in to"))
            let secret = ["client_secret": "emulated~secret.is-no-secret_at-all"]
            let with = Self.poll(scene, code, confidential.merging(secret) { $1 })
            let without = Self.poll(scene, code, confidential)
            #expect((with.status == 200) == !isOn && (without.status == 200) == isOn)
            if isOn {
                #expect(with.json["error_codes"] == [700_025])
            } else {
                #expect(without.json["error"] == "bad_verification_code")
            }
        }
        let scene = try Scene()
        let json = Self.ask(scene, confidential).json
        _ = try Self.approve(scene, Self.userCode(json))
        let answer = Self.poll(scene, json["device_code"]?.string, confidential)
        #expect(answer.status == 401 && answer.json["error_codes"] == [7_000_218])
    }

    @Test(
        arguments: [
            (["client_id": nil], 900_144), (["scope": nil], 900_144),
            (["client_id": "33333333-0000-4000-8000-000000000000"], 700_016),
            (["scope": "User.Read https://vault.azure.net/.default"], 70011),
            (["scope": "api://elsewhere/x"], 500_011),
        ] as [([String: String?], Int)]
    )
    func `a wrong request gets no code`(changes: [String: String?], number: Int) throws {
        let answer = Self.ask(try Scene(), changes)
        #expect(answer.status == 400 && answer.json["error_codes"] == [.integer(number)])
    }

    @Test func `GET gets no code`() throws {
        let response = try Scene().send(.get, "/\(Scene.id)/oauth2/v2.0/devicecode")
        #expect(try JSON(parsing: response.body)["error_codes"] == [900_561])
    }

    @Test func `a link or another site's form signs nobody in`() throws {
        let scene = try Scene()
        let userCode = try Self.userCode(Self.ask(scene).json)
        let path = "/device?user_code=\(userCode)&account=\(Scene.alice)&confirmed=1"
        #expect(scene.page(.get, path).contains("Enter the code"))
        let form = "account=\(Scene.alice)&confirmed=1"
        let foreign = scene.send(.post, path, form, [.origin: "https://evil.example"])
        #expect(String(decoding: foreign.body, as: UTF8.self).contains("Enter the code"))
        #expect(Self.approve(scene, userCode).contains("You are signed in to"))
    }

    @Test func `what keeps somebody out keeps the device waiting`() throws {
        let scene = try Scene()
        let json = Self.ask(scene).json
        let userCode = try Self.userCode(json)
        #expect(Self.approve(scene, userCode, account: Scene.eric).contains("AADSTS50057:"))
        _ = try scene.order("/faults", ["name": "sign-in-error", "number": 53003])
        #expect(Self.approve(scene, userCode).contains("AADSTS53003:"))
        let code = json["device_code"]?.string
        #expect(Self.poll(scene, code).json["error"] == "authorization_pending")
        // Somebody who is disabled between the page and the next request is out as well.
        #expect(Self.approve(scene, userCode).contains("You are signed in to"))
        _ = scene.emulator.change(Scene.alice) { $0.isDisabled = true }
        #expect(Self.poll(scene, code).json["error_codes"] == [50057])
    }

    @Test func `faults show at the endpoint`() throws {
        let scene = try Scene()
        _ = try scene.order("/faults", ["name": "throttled", "endpoint": "device-code"])
        #expect(Self.ask(scene).status == 429)
        #expect(Self.ask(scene).status == 200)
        _ = try scene.order("/faults", ["name": "token-error", "number": 90033])
        let code = Self.ask(scene).json["device_code"]?.string
        #expect(Self.poll(scene, code).status == 503)
        #expect(Self.poll(scene, code).json["error"] == "authorization_pending")
    }

    @Test func `consent is asked for before the device is let in`() throws {
        let toml = Directory.builtIn.replacing(
            "public = true",
            with: "public = true\nconsent = \"user\""
        )
        let scene = try Scene(toml)
        let json = Self.ask(scene).json
        let path = try "/device?user_code=\(Self.userCode(json))"
        let form = "account=\(Scene.alice)"
        #expect(scene.page(.post, path, form).contains("Permissions requested"))
        let confirmation = scene.page(.post, path, form + "&consent=accept")
        #expect(confirmation.contains("Confirm sign-in"))
        #expect(confirmation.contains("name=\"consent\" value=\"accept\""))
        let done = scene.page(.post, path, form + "&consent=accept&confirmed=1")
        #expect(done.contains("You are signed in to"))
    }

    @Test func `codes that nobody redeems are forgotten`() throws {
        let scene = try Scene()
        let first = Self.ask(scene).json["device_code"]?.string
        for _ in 0..<2000 { _ = Self.ask(scene) }
        #expect(Self.poll(scene, first).json["error"] == "bad_verification_code")
        let last = Self.ask(scene).json["device_code"]?.string
        #expect(Self.poll(scene, last).json["error"] == "authorization_pending")
    }

    @Test func `a personal account signs in for a device, too`() throws {
        let scene = try Scene()
        let client: [String: String?] = ["client_id": "22222222-bbbb-4000-8000-000000000003"]
        let json = Self.ask(scene, client, tenant: "common").json
        let path = try "/device?user_code=\(Self.userCode(json))"
        let peggy = "00000000-0000-0000-66f3-3332eca7ea81"
        let done = scene.page(.post, path, "account=\(peggy)&consent=accept&confirmed=1")
        #expect(done.contains("You are signed in to"))
    }
}
