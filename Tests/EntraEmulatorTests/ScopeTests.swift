import HTTPTypes
import Testing

@testable import EntraEmulator

/// Which scopes may be asked for together.
@Suite struct ScopeTests {
    private static let api = "api://22222222-bbbb-4000-8000-000000000005"
    private static let tooMany = (0...200).map { "S\($0)" }.joined(separator: " ")
    private static let tooLong = String(repeating: "S", count: 8193)

    @Test(arguments: [
        ("openid", nil), ("User.Read Mail.Read", nil),
        // Microsoft's libraries add the three to everything.
        ("\(Scene.client)/.default openid profile offline_access", nil),
        ("openid https://graph.microsoft.com/.default email", nil),
        ("\(api)/Tasks.Read \(api)/Tasks.Write openid", nil),
        // Consent may be asked for at several APIs, and a token for one afterwards.
        ("\(api)/Tasks.Read User.Read https://vault.azure.net/user_impersonation", nil),
        ("\(api)/.default \(api)/.default", nil),
        ("\(api)/.default User.Read", "invalid_scope&error_description=AADSTS70011"),
        ("\(api)/.default \(api)/Tasks.Read", "invalid_scope&error_description=AADSTS70011"),
        (
            "\(api)/.default https://vault.azure.net/.default",
            "invalid_scope&error_description=AADSTS70011"
        ),
        ("\(api)/", "invalid_scope&error_description=AADSTS70011"),
        ("\(api)/Tasks.Delete", "invalid_client&error_description=AADSTS650053"),
        ("api://elsewhere/.default", "invalid_resource&error_description=AADSTS500011"),
        ("\(Scene.alice)/.default", "invalid_resource&error_description=AADSTS500011"),
        // Registered, and without any API.
        ("api://\(Scene.client)/x", "invalid_resource&error_description=AADSTS500011"),
        (tooMany, "invalid_request&error_description=AADSTS28004"),
        (tooLong, "invalid_request&error_description=AADSTS28004"),
    ])
    func `scopes are asked for together as at Entra`(scope: String, error: String?) throws {
        let response = try Scene().send(.get, Scene.authorize(["scope": scope]))
        let location = response.http.headerFields[.location] ?? ""
        if let error {
            #expect(location.contains("error=\(error)%3A"))
        } else {
            #expect(response.http.status == .ok && location.isEmpty)
        }
    }

    @Test func `a token is for one API, and a code can be for several`() throws {
        let scene = try Scene()
        let scope = "openid \(Self.api)/Tasks.Read User.Read"
        let both = scene.signIn(Scene.alice, ["scope": scope])["code"]
        let refused = scene.redeem(["code": both, "scope": scope])
        #expect(refused.json["error_codes"] == [28000])
        #expect(refused.json["error"] == "invalid_request")
        // Nothing was used up, and the second API can be had alone.
        let answer = scene.redeem(["code": both, "scope": "openid User.Read"])
        #expect(answer.json["scope"] == "openid User.Read")
        // Where none is named it is the first one's, and the others are not listed.
        let graph = scene.signIn(Scene.alice, ["scope": "User.Read \(Self.api)/Tasks.Read"])["code"]
        #expect(scene.redeem(["code": graph]).json["scope"] == "User.Read")
        let first = scene.signIn(Scene.alice, ["scope": scope])["code"]
        let unnamed = scene.redeem(["code": first])
        #expect(unnamed.json["scope"]?.string == "\(Self.api)/Tasks.Read")
    }
}
