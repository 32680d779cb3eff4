import HTTPTypes
import JOSE
import Jansson
import Testing

@testable import EntraEmulator

/// Tokens for APIs of the directory, which check them by the published keys.
@Suite struct AccessTokenTests {
    private static let tasks = "22222222-bbbb-4000-8000-000000000005"
    private static let job = "22222222-bbbb-4000-8000-000000000008"
    private static let api = "api://\(tasks)"

    private static func answer(
        _ scene: Scene,
        _ user: String = Scene.alice,
        scope: String,
        _ changes: [String: String?] = [:]
    ) -> JSON {
        let changes = changes.merging(["scope": scope]) { $1 }
        let client = changes["client_id"] ?? Scene.client
        let code = scene.signIn(user, changes)["code"]
        return scene.redeem(["code": code, "client_id": client, "scope": scope]).json
    }

    private static func token(_ json: JSON) throws -> String {
        try #require(json["access_token"]?.string)
    }

    @Test func `a token for an API of one's own is a JWT for it`() throws {
        let scene = try Scene()
        let scope = "openid profile offline_access \(Self.api)/Tasks.Read"
        let json = Self.answer(scene, scope: scope)
        #expect(json["scope"]?.string == "\(Self.api)/Tasks.Read")
        let token = try Self.token(json)
        let claims = try scene.claims(token)
        #expect(claims["ver"] == "2.0" && claims["aud"]?.string == Self.tasks)
        #expect(claims["iss"]?.string == "http://localhost:8081/\(Scene.id)/v2.0")
        #expect(claims["azp"]?.string == Scene.client && claims["azpacr"] == "1")
        #expect(claims["scp"] == "Tasks.Read" && claims["roles"] == ["HR"])
        #expect(claims["oid"]?.string == Scene.alice && claims["tid"]?.string == Scene.id)
        #expect(claims["name"] == "Alice Adams")
        #expect(claims["preferred_username"] == "alice@example.com")
        #expect(claims["iat"] == 1_799_999_700 && claims["nbf"] == 1_799_999_700)
        #expect(claims["exp"] == 1_800_003_599)
        for name in ["appid", "appidacr", "nonce", "email", "unique_name", "upn"] {
            #expect(claims[name] == nil, "\(name)")
        }
        // Somebody is another subject at each application.
        let own = try scene.claims(try #require(json["id_token"]?.string))
        #expect(claims["sub"]?.string?.count == 43 && claims["sub"] != own["sub"])
        #expect(own["aud"]?.string == Scene.client)
    }

    @Test(arguments: ["api://22222222-bbbb-4000-8000-000000000005", tasks])
    func `the registration asks for version 1`(identifier: String) throws {
        let toml = Directory.builtIn.replacing("access_token_version = 2\n", with: "")
        let scene = try Scene(toml)
        let json = Self.answer(scene, scope: "profile \(identifier)/Tasks.Read")
        let token = try Self.token(json)
        let claims = try scene.claims(token)
        #expect(claims["ver"] == "1.0" && claims["aud"]?.string == identifier)
        #expect(claims["iss"]?.string == "https://sts.windows.net/\(Scene.id)/")
        #expect(claims["appid"]?.string == Scene.client && claims["appidacr"] == "1")
        #expect(claims["scp"] == "Tasks.Read" && claims["unique_name"] == "alice@example.com")
        for name in ["azp", "azpacr", "preferred_username"] {
            #expect(claims[name] == nil, "\(name)")
        }
        let header = try JSON(
            parsing: try #require(Base64URL.decode(token.split(separator: ".")[0]))
        )
        #expect(header["x5t"] != nil && header["x5t"] == header["kid"])
    }

    @Test func `.default stands for all scopes of an API`() throws {
        let scene = try Scene()
        let json = Self.answer(scene, Scene.bob, scope: "\(Self.api)/.default openid")
        let claims = try scene.claims(Self.token(json))
        #expect(claims["scp"] == "Tasks.Read Tasks.Write" && claims["roles"] == nil)
        #expect(
            json["scope"]?.string
                == "\(Self.api)/Tasks.Read \(Self.api)/Tasks.Write \(Self.api)/.default"
        )
        // Without the scope 'profile' a token says little of who it is.
        #expect(claims["oid"] == nil && claims["name"] == nil && claims["sub"] != nil)
    }

    @Test func `an application may ask for a token for itself`() throws {
        let scene = try Scene()
        let json = Self.answer(scene, scope: "\(Scene.client)/.default openid profile")
        let claims = try scene.claims(Self.token(json))
        #expect(claims["aud"]?.string == Scene.client && claims["scp"] == nil)
        #expect(claims["appid"]?.string == Scene.client && claims["roles"] == ["HR"])
        #expect(json["scope"]?.string == "\(Scene.client)/.default")
    }

    @Test func `a token for Graph is opaque, and one for an API is none for Graph`() throws {
        let scene = try Scene()
        func status(_ token: String) -> Int {
            scene.send(.get, "/v1.0/me", "", [.authorization: "Bearer \(token)"]).http.status.code
        }
        let graph = try Self.token(
            Self.answer(scene, scope: "openid https://graph.microsoft.com/User.Read")
        )
        #expect(!graph.contains(".") && status(graph) == 200)
        let own = try Self.token(Self.answer(scene, scope: "\(Self.api)/Tasks.Read"))
        #expect(own.contains(".") && status(own) == 401)
        let vault = try Self.token(Self.answer(scene, scope: "https://vault.azure.net/.default"))
        #expect(!vault.contains(".") && status(vault) == 401)
    }

    @Test func `one refresh token is good for several APIs`() throws {
        let scene = try Scene()
        let json = Self.answer(scene, scope: "openid profile offline_access")
        func refresh(_ scope: String) -> (status: Int, json: JSON) {
            scene.redeem([
                "grant_type": "refresh_token", "scope": scope,
                "refresh_token": json["refresh_token"]?.string,
            ])
        }
        let tasks = refresh("\(Self.api)/Tasks.Write openid profile")
        #expect(try scene.claims(Self.token(tasks.json))["scp"] == "Tasks.Write")
        #expect(try !Self.token(refresh("User.Read").json).contains("."))
        #expect(refresh("\(Self.api)/Tasks.Write User.Read").json["error_codes"] == [28000])
        #expect(refresh("\(Self.api)/Nothing").json["error_codes"] == [650_053])
    }

    @Test func `an application by itself has the roles that it was given, and no scopes`() throws {
        let scene = try Scene()
        func answer(_ client: String) -> JSON {
            scene.redeem([
                "grant_type": "client_credentials", "client_id": client,
                "scope": "\(Self.api)/.default",
            ]).json
        }
        let json = answer(Self.job)
        #expect(json["refresh_token"] == nil && json["id_token"] == nil)
        let claims = try scene.claims(Self.token(json))
        #expect(claims["roles"] == ["Tasks.Read.All"] && claims["scp"] == nil)
        #expect(claims["aud"]?.string == Self.tasks && claims["azp"]?.string == Self.job)
        #expect(claims["sub"] == claims["oid"] && claims["tid"]?.string == Scene.id)
        #expect(claims["name"] == nil && claims["idtyp"] == nil)
        // Nobody gave this one any.
        #expect(try scene.claims(Self.token(answer(Scene.client)))["roles"] == nil)
    }

    @Test func `where assignment is required, an application without a role gets nothing`() throws {
        let toml = Directory.builtIn.replacing(
            "access_token_version = 2\n",
            with: "assignment_required = true\noptional_claims = [\"idtyp\"]\n"
        )
        let scene = try Scene(toml)
        func answer(_ client: String) -> JSON {
            scene.redeem([
                "grant_type": "client_credentials", "client_id": client,
                "scope": "\(Self.api)/.default",
            ]).json
        }
        #expect(answer(Scene.client)["error_codes"] == [501_051])
        let claims = try scene.claims(Self.token(answer(Self.job)))
        #expect(claims["idtyp"] == "app" && claims["idp"] == claims["iss"])
    }

    @Test(
        arguments: [
            ("openid api://22222222-bbbb-4000-8000-000000000005/.default", 1_002_012),
            ("", 1_002_012), ("User.Read", 1_002_012),
            ("https://vault.azure.net/.default https://management.azure.com/.default", 70011),
            ("api://elsewhere/.default", 500_011),
        ]
    )
    func `an application by itself asks for one API's .default`(scope: String, number: Int) throws {
        let answer = try Scene().redeem(["grant_type": "client_credentials", "scope": scope])
        #expect(answer.status == 400 && answer.json["error_codes"] == [.integer(number)])
    }

    @Test func `a public application acts for nobody but people`() throws {
        let answer = try Scene().redeem([
            "grant_type": "client_credentials", "scope": "\(Self.api)/.default",
            "client_id": "22222222-bbbb-4000-8000-000000000007", "client_secret": nil,
        ])
        #expect(answer.status == 401 && answer.json["error_codes"] == [7_000_218])
    }

    @Test func `an API of another company is found where it is for many`() throws {
        let scope = "api://22222222-bbbb-4000-8000-000000000005/Tasks.Read"
        let client = "22222222-bbbb-4000-8000-000000000003"
        func page(_ toml: String) throws -> String {
            let path = Scene.authorize(
                ["client_id": client, "scope": scope],
                tenant: "marigold.example"
            )
            return try Scene(toml).send(.get, path).http.headerFields[.location] ?? ""
        }
        #expect(try page(Directory.builtIn).contains("AADSTS500011"))
        let shared = Directory.builtIn.replacing(
            "access_token_version = 2\n",
            with: "audience = \"AzureADMultipleOrgs\"\n"
        )
        #expect(try page(shared).isEmpty)
    }
}
