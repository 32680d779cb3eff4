/// The file format of a policy: one line for each group and rule, and their number in the last
/// line.
///
///     site-access 1
///     group hr role=HR group=6f2c0000-0000-0000-0000-000000000001
///     group pay role=Payroll context=c1 within=3600 audited=yes
///     allow [hr] /company/hr/
///     allow signed-in /
///     allow nobody /_search/
///     end 5
///
/// Values are percent-encoded, so that they contain no spaces and line breaks. A file that was cut
/// off has no last line and is refused, as is a file with any line that is not understood: half a
/// policy could open paths that the other half closes.
extension AccessPolicy {
    private static let mark = FormatMark(
        "site-access",
        1,
        refusal: "was made by a newer sitegen"
    )

    /// The greatest size of the file: a larger one is not read.
    public static let maximumBytes = 64 << 20

    public var text: String {
        var lines = groups.map { Self.line(of: $0) + ($0.isAudited ? " audited=yes" : "") }
        for rule in rules {
            let audience =
                switch rule.audience {
                case .public: "public"
                case .signedIn: "signed-in"
                case .nobody: "nobody"
                case .groups(let names): "[\(names.sorted().joined(separator: ","))]"
                }
            lines.append("allow \(audience) \(Self.encode(rule.path))")
        }
        lines.append("end \(lines.count)")
        return ([Self.mark.text] + lines).joined(separator: "\n") + "\n"
    }

    /// Why a text is not an access policy.
    public struct ReadError: Error, Equatable {
        public let line: Int
        public let message: String
    }

    /// - Returns: `nil` for a text that is not an access policy.
    public init?(text: String) {
        guard let policy = try? AccessPolicy(reading: text) else { return nil }
        self = policy
    }

    public init(reading text: String) throws(ReadError) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        let first = lines.popFirst() ?? ""
        if let problem = Self.mark.problem(of: first) {
            throw ReadError(line: 1, message: problem)
        }
        guard lines.popLast()?.isEmpty == true, let last = lines.popLast(),
            last == "end \(lines.count)"
        else {
            let message = "the last line does not count the lines above it; the file was cut off"
            throw ReadError(line: text.split(separator: "\n").count, message: message)
        }
        var groups: [GroupDefinition] = []
        var rules: [Rule] = []
        for (index, line) in zip(lines.indices, lines) {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            if words.first == "group", let group = Self.group(words.dropFirst()) {
                groups.append(group)
            } else if words.first == "allow", let rule = Self.rule(words.dropFirst()) {
                rules.append(rule)
            } else {
                let message = "this is neither a group nor a rule of '\(Self.mark.text)'"
                throw ReadError(line: index + 1, message: message)
            }
        }
        guard let policy = AccessPolicy(groups: groups, rules: rules) else {
            let message = "two rules are for one path, or a rule names a group that is not defined"
            throw ReadError(line: 1, message: message)
        }
        self = policy
    }

    /// The line without what says nothing about who is a member.
    static func line(of group: GroupDefinition) -> String {
        let values =
            group.roles.map { "role=" + encode($0) } + group.groups.map { "group=" + encode($0) }
            + group.users.map { "user=" + encode($0) }
            + (group.context.map { ["context=" + encode($0.name), "within=\($0.seconds)"] } ?? [])
        return (["group", group.name] + values).joined(separator: " ")
    }

    private static func group(_ words: ArraySlice<Substring>) -> GroupDefinition? {
        guard let name = words.first, GroupDefinition.isName(String(name)) else { return nil }
        var roles: [String] = []
        var groups: [String] = []
        var users: [String] = []
        var context: (name: String?, seconds: Int?)
        var isAudited = false
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let value = PercentEncoding.decode(parts[1]), !value.isEmpty
            else {
                return nil
            }
            switch parts[0] {
            case "role": roles.append(value)
            case "group": groups.append(value)
            case "user": users.append(value)
            case "context" where context.name == nil && AuthenticationContext.isName(value):
                context.name = value
            case "within" where context.seconds == nil:
                guard let seconds = Int(value), seconds > 0 else { return nil }
                context.seconds = seconds
            case "audited" where !isAudited && value == "yes": isAudited = true
            default: return nil
            }
        }
        guard (context.name == nil) == (context.seconds == nil) else { return nil }
        return GroupDefinition(
            name: String(name),
            roles: roles,
            groups: groups,
            users: users,
            context: context.name.flatMap { name in
                context.seconds.map { AuthenticationContext(name: name, seconds: $0) }
            },
            isAudited: isAudited
        )
    }

    private static func rule(_ words: ArraySlice<Substring>) -> Rule? {
        guard words.count == 2, let word = words.first, let last = words.last,
            let path = PercentEncoding.decode(last)
        else { return nil }
        switch word {
        case "public": return Rule(path: path, audience: .public)
        case "signed-in": return Rule(path: path, audience: .signedIn)
        case "nobody": return Rule(path: path, audience: .nobody)
        default:
            guard word.hasPrefix("["), word.hasSuffix("]"), word.count > 2 else { return nil }
            let names = word.dropFirst().dropLast()
                .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard names.allSatisfy(GroupDefinition.isName) else { return nil }
            return Rule(path: path, audience: .groups(Set(names)))
        }
    }

    private static func encode(_ value: String) -> String {
        var text = ""
        for byte in value.utf8 {
            if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }
}
