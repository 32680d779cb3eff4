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
    /// What members of a group have to confirm, by the group's name; empty on most sites.
    public let contexts: [String: AuthenticationContext]
    /// The groups whose pages are audited; empty on most sites.
    public let auditedGroups: Set<String>

    /// A digest of ``groups``; other definitions have another one.
    ///
    /// Sessions contain the digest, so that a session made under other definitions is not used.
    public let groupsDigest: UInt64

    /// The rules in the order of their normalised paths.
    private let sorted: [SortedRule]

    private struct SortedRule: Sendable, Equatable {
        let path: [UInt8]
        let audience: Audience
        /// The index of the rule with the longest path above this one, or -1.
        var above = -1

        func contains(_ path: [UInt8]) -> Bool { path.starts(with: self.path) }
    }

    /// - Returns: `nil` if a rule's path is not one that siteauth accepts, two rules differ only in
    ///   case, a rule names an undefined group, or a group is defined twice.
    public init?(groups: [GroupDefinition], rules: [Rule]) {
        let names = Set(groups.map(\.name))
        guard names.count == groups.count else { return nil }
        var sorted: [SortedRule] = []
        for rule in rules {
            guard let path = SitePath(rule.path) else { return nil }
            if case .groups(let wanted) = rule.audience {
                guard wanted.isSubset(of: names) else { return nil }
            }
            sorted.append(SortedRule(path: path.folded, audience: rule.audience))
        }
        sorted.sort { $0.path.lexicographicallyPrecedes($1.path) }
        for index in sorted.indices.dropFirst() {
            if sorted[index].path == sorted[index - 1].path { return nil }
            // The rules above the one before, the longest first.
            var above = index - 1
            while above >= 0, !sorted[above].contains(sorted[index].path) {
                above = sorted[above].above
            }
            sorted[index].above = above
        }
        self.groups = groups
        self.rules = rules
        contexts = groups.reduce(into: [:]) { $0[$1.name] = $1.context }
        auditedGroups = Set(groups.filter(\.isAudited).map(\.name))
        self.sorted = sorted
        groupsDigest = Self.digest(groups)
    }

    /// Who may read `path`: the rule with the longest path decides.
    ///
    /// `nil` means that nobody may read the path.
    public func audience(of path: SitePath) -> Audience? {
        audience(of: path.folded, before: end(of: path.folded))
    }

    /// The audiences of all paths as which an application may read this one; a reader has to belong
    /// to each of them.
    ///
    /// An empty array means that nobody may.
    public func audiences(of path: ApplicationPath) -> [Audience] {
        let end = end(of: path.certain)
        guard let audience = audience(of: path.certain, before: end) else { return [] }
        guard !path.isWhole else { return [audience] }
        var audiences = [audience]
        var index = end
        while index < sorted.count, sorted[index].path.starts(with: path.certain) {
            guard index - end < Self.maximumReadings else { return [] }
            if !audiences.contains(sorted[index].audience) {
                audiences.append(sorted[index].audience)
            }
            index += 1
        }
        return audiences
    }

    /// The context of a name; where groups differ, the one that holds for the shortest time.
    public func context(named name: String) -> AuthenticationContext? {
        contexts.values.filter { $0.name == name }.min { $0.seconds < $1.seconds }
    }

    /// Whether what is for this audience is audited, whichever of its groups a reader is in.
    public func isAudited(_ audience: Audience) -> Bool {
        guard !auditedGroups.isEmpty, case .groups(let names) = audience else { return false }
        return !auditedGroups.isDisjoint(with: names)
    }

    /// The greatest number of rules that ``audiences(of:)`` compares, so that no request costs more.
    private static let maximumReadings = 1000

    /// The number of rules that are not after `path` in their order.
    private func end(of path: [UInt8]) -> Int {
        var (first, end) = (0, sorted.count)
        while first < end {
            let middle = (first + end) / 2
            if path.lexicographicallyPrecedes(sorted[middle].path) {
                end = middle
            } else {
                first = middle + 1
            }
        }
        return first
    }

    private func audience(of path: [UInt8], before end: Int) -> Audience? {
        // A rule that is above the path is the last one that is not after it, or above that one.
        var index = end - 1
        while index >= 0 {
            if sorted[index].contains(path) { return sorted[index].audience }
            index = sorted[index].above
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
