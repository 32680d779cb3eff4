import Access
import Foundation
import Jansson
import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

@Suite struct RegistrationTests {
    private static let hostile = "O'Brien \"& Sons\" $(id) `id` \\ %s\nEND-OF-JSON\n; exit 1 #@x 漢字"

    private static func registration(
        _ name: String = hostile,
        url: String = "https://docs.example.com/auth/callback",
        accounts: Registration.Accounts = .tenant
    ) throws -> Registration {
        Registration(
            name: name,
            redirectURI: try #require(WebURL(url)),
            accounts: accounts,
            groups: [
                GroupDefinition(name: "hr", roles: ["HR", "it's"]),
                GroupDefinition(name: "it", roles: ["HR"], groups: ["b0a2d000"]),
            ]
        )
    }

    @Test func `the manifest has what the site needs`() throws {
        let json = try Self.registration().manifest
        #expect(json["displayName"]?.string == Self.hostile)
        #expect(json["signInAudience"] == "AzureADMyOrg")
        #expect(
            json["web"]?["redirectUris"]?.strings == [
                "https://docs.example.com/auth/callback",
                "https://docs.example.com/auth/signed-out",
            ]
        )
        let logout = "https://docs.example.com/auth/front-channel-sign-out"
        #expect(json["web"]?["logoutUrl"]?.string == logout)
        let claims = json["optionalClaims"]?["idToken"]?.array?.compactMap { $0["name"]?.string }
        #expect(claims == ["sid", "login_hint", "auth_time", "acct", "email", "xms_edov"])
        #expect(json["appRoles"]?.array?.compactMap { $0["value"]?.string } == ["HR", "it's"])
        #expect(json["groupMembershipClaims"] == "ApplicationGroup")
        #expect(json["web"]?["implicitGrantSettings"]?["enableIdTokenIssuance"] == false)
    }

    @Test func `the pretty text is the same JSON`() throws {
        let registration = try Self.registration()
        let parsed = try JSON(parsing: Array(registration.manifestText.utf8))
        #expect(parsed == registration.manifest)
    }

    @Test func `Entra takes no logout URL without https`() throws {
        let registration = try Self.registration(url: "http://localhost:8080/auth/callback")
        #expect(registration.manifest["web"]?["logoutUrl"] == nil)
        #expect(registration.checklist.contains("none: Entra accepts https only"))
    }

    @Test func `registrations for personal accounts have no roles and nobody assigned`() throws {
        for accounts in [Registration.Accounts.all, .personal] {
            let registration = try Self.registration(accounts: accounts)
            #expect(registration.manifest["appRoles"]?.array?.isEmpty == true)
            #expect(registration.manifest["api"]?["requestedAccessTokenVersion"] == 2)
            #expect(registration.script(.secret).contains("\"appRoleAssignmentRequired\":false"))
        }
        #expect(
            try Self.registration().script(.none).contains("\"appRoleAssignmentRequired\":true")
        )
    }

    @Test func `a role keeps its ID`() {
        #expect(Registration.roleID("HR") == Registration.roleID("HR"))
        #expect(Registration.roleID("HR") != Registration.roleID("IT"))
        #expect(DisplayText.guid(Registration.roleID("HR")) != nil)
    }

    @Test(arguments: Registration.Proof.allCases)
    func `the script is a script whatever the name`(proof: Registration.Proof) throws {
        let script = try Self.registration().script(proof)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-n", "-c", script]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        // The name is nowhere but on one line of JSON.
        #expect(script.components(separatedBy: "O'Brien").count == 2)
        #expect(script.components(separatedBy: "\nEND-OF-JSON\n").count == 2)
    }

    @Test(arguments: [
        ("organizations", "AzureADMultipleOrgs"),
        ("common", "AzureADandPersonalMicrosoftAccount"),
        ("consumers", "PersonalMicrosoftAccount"),
        ("11111111-aaaa-4000-8000-000000000001", "AzureADMyOrg"),
    ])
    func `the authority says whose accounts are meant`(authority: String, audience: String) throws {
        let world = try World(
            "allowed_tenants = [\"any\"]",
            registration: World.larkspur.replacing(
                "11111111-aaaa-4000-8000-000000000001",
                with: authority
            )
        )
        let registration = Registration(world.relyingParty.configuration, name: "x", groups: [])
        #expect(registration.manifest["signInAudience"]?.string == audience)
    }
}
