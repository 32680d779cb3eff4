/// The access policy of one release: who may read which path; sitegen writes it, siteauth reads it.
public struct AccessPolicy: Sendable, Equatable {
    /// The audience of a path and all paths below it.
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

    /// A digest of ``groups``; other definitions have another one.
    ///
    /// Sessions contain the digest, so that a session made under other definitions is not used.
    public let groupsDigest: UInt64

    private let audiences: [[UInt8]: Audience]

    /// - Returns: `nil` if a rule's path is not one that siteauth accepts, two rules differ only in
    ///   case, a rule names an undefined group, or a group is defined twice.
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
    /// `nil` means that nobody may read the path.
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
    /// The digest need not be cryptographic: an attacker who can forge it can also write the
    /// policy.
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
