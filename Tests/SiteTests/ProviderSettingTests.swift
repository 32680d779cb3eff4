import Testing

@testable import Site

/// `provider` in `sitegen.toml`: whether ids of groups and people are Entra's.
@Suite struct ProviderSettingTests {
    private static func parse(_ toml: String) -> (SiteConfiguration, [String]) {
        let parsed = SiteConfiguration.parse(Array(toml.utf8), path: "sitegen.toml")
        return (parsed.configuration, parsed.diagnostics.map { $0.text(program: "sitegen") })
    }

    @Test(arguments: ["", "provider = \"entra\"\n"])
    func `at Entra a typing mistake in an id is found`(line: String) {
        let (_, problems) = Self.parse(
            line + "[groups]\na = { group = \"staff\", users = \"kim@example.com\" }"
        )
        #expect(problems.count == 2)
        #expect(problems.allSatisfy { $0.contains("is not an object id (a GUID)") })
        #expect(problems.allSatisfy { $0.contains("set 'provider = \"other\"'") })
    }

    @Test func `an id of Entra has one spelling`() {
        let (configuration, problems) = Self.parse(
            "[groups]\na = { group = \"B0A2D000-0000-4000-8000-00000000B0A2\" }"
        )
        #expect(problems.isEmpty)
        #expect(configuration.groups[0].groups == ["b0a2d000-0000-4000-8000-00000000b0a2"])
    }

    @Test func `at another provider any text is an id, letter for letter`() {
        let (configuration, problems) = Self.parse(
            """
            provider = "other"
            [groups]
            a = { group = ["Staff", "/a b/é", "cn=x,dc=y"], users = "Kim|7" }
            """
        )
        #expect(problems.isEmpty)
        #expect(configuration.groups[0].groups == ["Staff", "/a b/é", "cn=x,dc=y"])
        #expect(configuration.groups[0].users == ["Kim|7"])
    }

    @Test(arguments: ["\"\"", "\"a\\nb\"", "\"\\u0000\"", "\"\\u007F\""])
    func `an id is not empty and has no control characters`(id: String) {
        let (_, problems) = Self.parse("provider = \"other\"\n[groups]\na = { group = \(id) }")
        #expect(problems.count == 1)
    }

    @Test(arguments: [("true", true, 0), ("false", false, 0), ("\"yes\"", false, 1)])
    func `a group says whether its pages are audited`(value: String, audited: Bool, count: Int) {
        let (configuration, problems) = Self.parse(
            "[groups]\na = { role = \"A\", audit = \(value) }"
        )
        #expect(configuration.groups[0].isAudited == audited && problems.count == count)
    }

    @Test(arguments: [
        ("entra", "authentication_context = \"c1\"", nil),
        ("entra", "authentication_context = \"c0\"", "'c0'; it must be the id of"),
        ("entra", "authentication_context = \"gold\"", "'gold'; it must be the id of"),
        ("other", "authentication_context = \"gold\"", nil),
        ("other", "authentication_context = \"very gold\"", "it must be a value of 'acr'"),
        ("other", "authentication_context = \"\"", "it must be a value of 'acr'"),
        ("entra", "authentication_context_seconds = 60", "has no effect without"),
        (
            "entra", "authentication_context = \"c1\", authentication_context_seconds = 5",
            "it must be 60 to 86400"
        ),
    ])
    func `a context is one that the provider knows`(
        provider: String,
        keys: String,
        problem: String?
    ) {
        let (configuration, problems) = Self.parse(
            "provider = \"\(provider)\"\n[groups]\na = { role = \"A\", \(keys) }"
        )
        #expect(problems.count == (problem == nil ? 0 : 1), "\(problems)")
        #expect(problems.allSatisfy { $0.contains(problem ?? "") })
        #expect(problem != nil || configuration.groups[0].context?.seconds == 3600)
    }

    @Test func `another word is an error`() {
        let (_, problems) = Self.parse("provider = \"keycloak\"")
        #expect(
            problems == [
                "sitegen.toml:1:12: error: 'provider' is 'keycloak'; it must be 'entra' or 'other'\n"
            ]
        )
    }
}
