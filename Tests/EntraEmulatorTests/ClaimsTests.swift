import JOSE
import Jansson
import Testing

@testable import EntraEmulator

/// What ID tokens say of different people.
@Suite struct ClaimsTests {
    private static func claims(
        _ user: String,
        _ changes: [String: String?] = [:],
        _ toml: String = Directory.builtIn
    ) throws -> JSON {
        let scene = try Scene(toml)
        return try scene.claims(scene.idToken(user, changes))
    }

    @Test func `a guest comes with a home and an address`() throws {
        let claims = try Self.claims(
            "94e57000-0000-4000-8000-00000000000f",
            ["scope": "openid profile"]
        )
        #expect(
            claims["idp"] == "https://sts.windows.net/33333333-aaaa-4000-8000-000000000003/"
        )
        #expect(claims["email"] == "grace@marigold.example")
        #expect(claims["tid"]?.string == Scene.id)
    }

    /// Whoever takes an address for an identity lets Mallory be Alice (nOAuth).
    @Test func `an address may be somebody else's`() throws {
        let toml = Directory.builtIn.replacing(
            "optional_claims = [\"sid\", \"login_hint\"]\ngroup_claims",
            with: "optional_claims = [\"sid\", \"xms_edov\"]\ngroup_claims"
        )
        let claims = try Self.claims("3a110400-0000-4000-8000-000000000011", [:], toml)
        #expect(claims["email"] == "alice@example.com" && claims["xms_edov"] == false)
        #expect(claims["oid"] != "a11ce000-0000-4000-8000-00000000000a")
    }

    @Test func `without the scope profile there is no name and no object id`() throws {
        let claims = try Self.claims(Scene.alice, ["scope": "openid"])
        #expect(claims["oid"] == nil && claims["name"] == nil && claims["email"] == nil)
        #expect(claims["sub"]?.string?.count == 43 && claims["tid"]?.string == Scene.id)
    }

    @Test func `above 200 groups none is named`() throws {
        let claims = try Self.claims("0fe40000-0000-4000-8000-000000000010")
        #expect(claims["groups"] == nil && claims["_claim_names"]?["groups"] == "src1")
        let carol = try Self.claims("ca401000-0000-4000-8000-00000000000c")
        #expect(carol["groups"] == ["b0a2d000-0000-4000-8000-00000000b0a2"])
    }

    @Test func `only assigned groups come where the registration says so`() throws {
        let toml = Directory.builtIn.replacing(
            "group_claims = \"SecurityGroup\"",
            with: "group_claims = \"ApplicationGroup\"\nassigned = [\"Board\"]"
        )
        let claims = try Self.claims("0fe40000-0000-4000-8000-000000000010", [:], toml)
        #expect(claims["groups"] == ["b0a2d000-0000-4000-8000-00000000b0a2"])
    }

    @Test func `roles are those that the application defines`() throws {
        let toml = Directory.builtIn.replacing(
            "roles = [\"HR\"]\n# given",
            with: "roles = [\"HR\", \"Other\"]\n# given"
        )
        #expect(try Self.claims(Scene.alice, [:], toml)["roles"] == ["HR"])
        #expect(try Self.claims(Scene.bob, [:], toml)["roles"] == nil)
    }

    @Test func `names of every script arrive as they are`() throws {
        let claims = try Self.claims("6a2a0000-0000-4000-8000-000000000014")
        let name = try #require(claims["name"]?.string)
        #expect(name.hasPrefix("漢字 <script>") && name.hasSuffix("שלום"))
    }
}
