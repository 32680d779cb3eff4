import Testing

@testable import Access

@Suite struct AccessPolicyTests {
    private static let groups = [
        GroupDefinition(name: "hr", roles: ["HR", "People Ops%"], groups: ["ABC"], users: ["u1"]),
        GroupDefinition(
            name: "it",
            roles: ["IT"],
            context: AuthenticationContext(name: "c1", seconds: 900),
            isAudited: true
        ),
    ]
    private static let rules = [
        AccessPolicy.Rule(path: "/", audience: .signedIn),
        AccessPolicy.Rule(path: "/hr/", audience: .groups(["hr"])),
        AccessPolicy.Rule(path: "/hr/public notes/", audience: .public),
        AccessPolicy.Rule(path: "/Ärzte/", audience: .groups(["hr", "it"])),
        AccessPolicy.Rule(path: "/nothing/", audience: .nobody),
    ]

    @Test func `the longest rule decides`() throws {
        let policy = try #require(AccessPolicy(groups: Self.groups, rules: Self.rules))
        func audience(_ path: String) -> Audience? { SitePath(path).flatMap(policy.audience(of:)) }
        #expect(audience("/") == .signedIn)
        #expect(audience("/x/y.png") == .signedIn)
        #expect(audience("/hr") == .groups(["hr"]))
        #expect(audience("/hr/salaries/2026.pdf") == .groups(["hr"]))
        #expect(audience("/HR/salaries/") == .groups(["hr"]))
        #expect(audience("/hrx/") == .signedIn)
        #expect(audience("/hr/public notes/a") == .public)
        #expect(audience("/Ärzte/a") == .groups(["hr", "it"]))
        #expect(audience("/nothing/a") == .nobody)
        #expect(!Audience.nobody.admits(memberOf: ["hr", "it"]))
        #expect(
            Audience.nobody.isSubset(of: .groups(["hr"]))
                && !Audience.signedIn.isSubset(of: .nobody)
        )
    }

    @Test func `of many rules the longest above the path decides`() throws {
        let names = ["a", "a-b", "b", "B", "aa", "é"]
        var paths = ["/"]
        for first in names { paths += ["/\(first)/"] + names.map { "/\(first)/\($0)/" } }
        for seed in 0..<200 {
            let audiences: [Audience] = [.public, .signedIn, .groups(["hr"]), .groups(["it"])]
            let chosen = paths.indices.filter { ($0 * 31 + seed * 17) % 7 < seed % 5 }
            let rules = chosen.map { index in
                AccessPolicy.Rule(path: paths[index], audience: audiences[index % 4])
            }
            var seen: Set<String> = []
            let isValid = rules.allSatisfy { seen.insert($0.path.lowercased()).inserted }
            let policy = AccessPolicy(groups: Self.groups, rules: rules)
            #expect((policy != nil) == isValid)
            for path in paths + paths.map({ "\($0)x/y.png" }) {
                let above = rules.filter { path.lowercased().hasPrefix($0.path.lowercased()) }
                let longest = above.max { $0.path.utf8.count < $1.path.utf8.count }
                let found = try #require(SitePath(path))
                #expect(policy == nil || policy?.audience(of: found) == longest?.audience)
            }
        }
    }

    @Test func `without a rule for the root nobody reads what no rule names`() throws {
        let policy = try #require(
            AccessPolicy(groups: [], rules: [.init(path: "/a/", audience: .public)])
        )
        #expect(SitePath("/b/").flatMap(policy.audience(of:)) == nil)
        #expect(SitePath("/").flatMap(policy.audience(of:)) == nil)
    }

    @Test func `a policy comes back from its text as it was`() throws {
        let policy = try #require(AccessPolicy(groups: Self.groups, rules: Self.rules))
        #expect(AccessPolicy(text: policy.text) == policy)
        #expect(
            policy.text.hasPrefix("site-access 1\ngroup hr role=HR role=People%20Ops%25 group=ABC")
        )
        #expect(policy.text.contains("\ngroup it role=IT context=c1 within=900 audited=yes\n"))
    }

    @Test func `a rule that names an audited group is audited, and memberships stay as they were`()
        throws
    {
        let policy = try #require(AccessPolicy(groups: Self.groups, rules: Self.rules))
        let audited = Self.rules.map(\.audience).filter(policy.isAudited)
        #expect(audited == [.groups(["hr", "it"])] && policy.auditedGroups == ["it"])
        let others = Self.groups.map { group in
            var group = group
            group.isAudited.toggle()
            return group
        }
        let changed = try #require(AccessPolicy(groups: others, rules: Self.rules))
        #expect(changed.groupsDigest == policy.groupsDigest && changed != policy)
    }

    @Test func `half a policy is none`() throws {
        let text = try #require(AccessPolicy(groups: Self.groups, rules: Self.rules)).text
        for count in 0..<text.utf8.count {
            let half = String(decoding: text.utf8.prefix(count), as: UTF8.self)
            #expect(AccessPolicy(text: half) == nil)
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for index in lines.indices.dropLast() {
            var fewer = lines
            fewer.remove(at: index)
            #expect(AccessPolicy(text: fewer.joined(separator: "\n")) == nil)
        }
    }

    @Test(arguments: [
        "allow everybody /", "allow [] /", "allow [nobody] /", "allow public", "allow public  /",
        "allow public /a /b", "permit public /", "allow public a", "allow public /../", "group 1x",
        "group hr role", "group hr role=", "group hr rule=x", "group hr\ngroup hr", "",
        "allow public /%zz", "group hr context=c1", "group hr within=60",
        "group hr context=c1 within=0", "group hr context=c1 within=-1",
        "group hr context=c1 within=1.5", "group hr context=c%201 within=60",
        "group hr audited=no", "group hr audited", "group hr audited=yes audited=yes",
        "group hr context=c1 context=c2 within=60", "group hr context=c1 within=60 within=61",
        "allow public /a/\nallow signed-in /A/",
    ])
    func `a line that is not understood refuses the whole`(lines: String) {
        let count = lines.split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(AccessPolicy(text: "site-access 1\n\(lines)\nend \(count)\n") == nil)
        #expect(AccessPolicy(text: "site-access 2\nallow public /\nend 1\n") == nil)
    }

    @Test(arguments: [
        (
            "site-access 2\nallow public /\nend 1\n", 1,
            "'site-access 2' was made by a newer sitegen"
        ),
        ("site-access 99x\nend 0\n", 1, "the first line is not 'site-access 1'"),
        ("site-access 0\nend 0\n", 1, "the first line is not 'site-access 1'"),
        ("site-access  2\nend 0\n", 1, "the first line is not 'site-access 1'"),
        ("root:secret\n", 1, "the first line is not 'site-access 1'"), ("", 1, "the first line"),
        ("site-access 1\nallow public /\nend 2\n", 3, "the file was cut off"),
        ("site-access 1\nallow public /\nend 1", 3, "the file was cut off"),
        ("site-access 1\nallow public /\nallow some /a/\nend 2\n", 3, "neither a group nor a rule"),
        ("site-access 1\nallow [hr] /\nend 1\n", 1, "a group that is not defined"),
    ])
    func `a policy that cannot be read is reported with its line`(
        _ text: String,
        _ line: Int,
        _ message: String
    ) {
        let error = #expect(throws: AccessPolicy.ReadError.self) {
            try AccessPolicy(reading: text)
        }
        #expect(error?.line == line && error?.message.contains(message) == true, "\(error as Any)")
        #expect(error?.message.contains("secret") == false)
    }

    @Test func `other definitions have another digest, another order has not`() throws {
        let policy = try #require(AccessPolicy(groups: Self.groups, rules: []))
        let reversed = try #require(AccessPolicy(groups: Self.groups.reversed(), rules: []))
        #expect(policy.groupsDigest == reversed.groupsDigest)
        let other = [Self.groups[0], GroupDefinition(name: "it", roles: ["IT2"])]
        let changed = try #require(AccessPolicy(groups: other, rules: []))
        #expect(changed.groupsDigest != policy.groupsDigest)
    }

    @Test(arguments: [
        (Audience.groups(["hr"]), Audience.groups(["hr", "it"]), true),
        (.groups(["hr", "it"]), .groups(["hr"]), false), (.groups(["hr"]), .signedIn, true),
        (.signedIn, .groups(["hr"]), false), (.public, .signedIn, false),
        (.signedIn, .public, true),
        (.public, .public, true), (.signedIn, .signedIn, true),
    ])
    func `an audience is within another when all of its readers are`(
        left: Audience,
        right: Audience,
        isSubset: Bool
    ) {
        #expect(left.isSubset(of: right) == isSubset)
    }

    /// nginx and file systems compare bytes; Swift's strings take both spellings for one.
    @Test func `a rule is for one way to compose a letter`() throws {
        let policy = try #require(
            AccessPolicy(
                groups: [],
                rules: [
                    .init(path: "/", audience: .signedIn),
                    .init(path: "/caf\u{E9}/", audience: .public),
                ]
            )
        )
        let composed = try #require(SitePath("/caf\u{E9}/a"))
        let decomposed = try #require(SitePath("/cafe\u{301}/a"))
        #expect(policy.audience(of: composed) == .public)
        #expect(policy.audience(of: decomposed) == .signedIn)
        #expect(composed != decomposed)
    }
}
