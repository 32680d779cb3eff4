/// Who may read which path of one release; written by sitegen, read by siteauth.
public struct AccessPolicy: Sendable, Equatable {
    /// A literal path and all below it.
    public struct Rule: Sendable, Equatable {
        public let path: String
        public let audience: Audience

        public init(path: String, audience: Audience) {
            self.path = path
            self.audience = audience
        }
    }

    public let groups: [GroupDefinition]
    public let rules: [Rule]

    /// A short name for ``groups``: other definitions have another one.
    ///
    /// Sessions carry it, so that a session made under other definitions is not believed.
    public let groupsDigest: UInt64

    private let audiences: [[UInt8]: Audience]

    /// - Returns: `nil` if a rule has no path that siteauth would judge, two rules differ only in
    ///   case, a rule names a group that is not defined, or a group is defined twice.
    public init?(groups: [GroupDefinition], rules: [Rule]) {
        let names = Set(groups.map(\.name))
        guard names.count == groups.count else { return nil }
        var audiences: [[UInt8]: Audience] = [:]
        for rule in rules {
            guard let path = SitePath(rule.path), audiences[path.folded] == nil else { return nil }
            if case .groups(let wanted) = rule.audience {
                guard !wanted.isEmpty, wanted.isSubset(of: names) else { return nil }
            }
            audiences[path.folded] = rule.audience
        }
        self.groups = groups
        self.rules = rules
        self.audiences = audiences
        groupsDigest = Self.digest(groups)
    }

    /// Who may read `path`: the rule with the longest path decides.
    ///
    /// `nil` means nobody.
    public func audience(of path: SitePath) -> Audience? {
        if let exact = audiences[path.folded] { return exact }
        var prefix = path.folded.dropLast()
        while let slash = prefix.lastIndex(of: UInt8(ascii: "/")) {
            let folder = prefix[...slash]
            if let audience = audiences[Array(folder)] { return audience }
            prefix = folder.dropLast()
        }
        return nil
    }

    /// FNV-1a over the definitions.
    ///
    /// Whoever could forge it could write the policy itself.
    private static func digest(_ groups: [GroupDefinition]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for line in groups.map(AccessPolicy.line(of:)).sorted() {
            for byte in line.utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
        }
        return hash
    }
}
