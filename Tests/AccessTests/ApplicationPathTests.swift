import Testing

@testable import Access

/// Programs read odd paths differently: whichever way an application reads one, its reader may.
@Suite struct ApplicationPathTests {
    private static let policy = AccessPolicy(
        groups: [GroupDefinition(name: "hr"), GroupDefinition(name: "board")],
        rules: [
            .init(path: "/", audience: .signedIn), .init(path: "/press/", audience: .public),
            .init(path: "/wiki/c/", audience: .groups(["hr"])),
            .init(path: "/wiki/c/d/", audience: .groups(["board"])),
            .init(path: "/wiki/x/y/", audience: .groups(["hr"])),
        ]
    )

    private static func audiences(_ path: String) throws -> Set<Audience> {
        let policy = try #require(policy)
        return Set(ApplicationPath(path).map { policy.audiences(of: $0) } ?? [])
    }

    @Test(arguments: [
        "/wiki/100%", "/wiki/job/feature%2Fx", "/wiki/What?", "/wiki/a;b=1/d", "/wiki/z%zz",
        "/wiki/a%2F%2Fb", "/wiki/" + String(repeating: "a/", count: 3000),
    ])
    func `an odd path far from other rules has the rule of its application`(path: String) throws {
        #expect(try Self.audiences(path) == [.signedIn])
    }

    @Test func `a plain path has one rule, as for files`() throws {
        for path in [
            "/wiki/", "/wiki", "/wiki/C/x", "/wiki/c", "/wiki/cd", "/press/a", "/wiki/x/y",
        ] {
            let policy = try #require(Self.policy)
            let expected = SitePath(path).flatMap { policy.audience(of: $0) }
            #expect(try Self.audiences(path) == Set([expected].compactMap(\.self)))
        }
    }

    /// Decoded once more, cut at '?' or ';', or with slashes merged, they may be another path.
    @Test(
        arguments: [
            ("/wiki/c#", [.signedIn, .groups(["hr"]), .groups(["board"])]),
            ("/wiki/c/%64/x", [.groups(["hr"]), .groups(["board"])]),
            ("/wiki/C%2Fd", [.signedIn, .groups(["hr"]), .groups(["board"])]),
            ("/wiki/c;a/b", [.signedIn, .groups(["hr"]), .groups(["board"])]),
            ("/wiki/x/%79", [.signedIn, .groups(["hr"])]),
            ("/wiki/%63/", [.signedIn, .groups(["hr"]), .groups(["board"])]),
            ("/press/%2e", []), ("/press/a%", [.public]),
        ] as [(String, Set<Audience>)]
    )
    func `a path that may be another one needs the rules of both`(
        path: String,
        audiences: Set<Audience>
    ) throws {
        #expect(try Self.audiences(path) == audiences)
    }

    @Test(arguments: [
        "/wiki/%2e%2e/hr", "/wiki/..;/hr", "/wiki/%252e%252e/hr", "/wiki/%2E./x", "/wiki/%2f..%2fx",
        "/wiki/..%5cx", "/wiki\\x", "/wiki/%5C", "/wiki/%00", "/wiki/%0a", "/wiki/%ff",
        "/wiki/..?x",
        "/wiki/%25252525252e", "/wiki/%2500%", "/wiki/..", "/wiki/a;..", "//wiki/", "/wiki//a", "",
        "wiki", "/wiki/\u{7f}",
        "/" + String(repeating: "a", count: ApplicationPath.maximumLength),
    ])
    func `a path that can lead out of its folder is none`(path: String) {
        #expect(ApplicationPath(path) == nil)
    }

    @Test func `what costs too much is refused`() throws {
        let rules = (0..<1500).map {
            AccessPolicy.Rule(path: "/wiki/a\($0)/", audience: $0 == 1400 ? .signedIn : .public)
        }
        let policy = try #require(
            AccessPolicy(groups: [], rules: rules + [.init(path: "/", audience: .public)])
        )
        #expect(policy.audiences(of: try #require(ApplicationPath("/wiki/%"))) == [])
        #expect(
            policy.audiences(of: try #require(ApplicationPath("/wiki/a1400%"))) == [
                .public, .signedIn,
            ]
        )
        #expect(policy.audiences(of: try #require(ApplicationPath("/wiki/a7"))) == [.public])
    }
}
