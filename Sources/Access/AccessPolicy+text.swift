/// The file format of a policy: one line for each group and rule, and their number in the last
/// line.
///
///     site-access 1
///     group hr role=HR group=6f2c0000-0000-0000-0000-000000000001
///     allow [hr] /company/hr/
///     allow signed-in /
///     end 3
///
/// Values are percent-encoded, so that they contain no spaces and line breaks. A file that was cut
/// off has no last line and is refused, as is a file with any line that is not understood: half a
/// policy could open paths that the other half closes.
extension AccessPolicy {
    private static let firstLine = "site-access 1"

    /// The greatest size of the file: a larger one is not read.
    public static let maximumBytes = 64 << 20

    public var text: String {
        var lines = groups.map(Self.line(of:))
        for rule in rules {
            let audience =
                switch rule.audience {
                case .public: "public"
                case .signedIn: "signed-in"
                case .groups(let names): "[\(names.sorted().joined(separator: ","))]"
                }
            lines.append("allow \(audience) \(Self.encode(rule.path))")
        }
        lines.append("end \(lines.count)")
        return ([Self.firstLine] + lines).joined(separator: "\n") + "\n"
    }

    /// - Returns: `nil` for a text with a line that is not understood, and for one that was cut off.
    public init?(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard text.hasSuffix("\n"), lines.popLast()?.isEmpty == true,
            let first = lines.popFirst(), first == Self.firstLine,
            let last = lines.popLast(), last == "end \(lines.count)"
        else { return nil }
        var groups: [GroupDefinition] = []
        var rules: [Rule] = []
        for line in lines {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            switch words.first {
            case "group":
                guard let group = Self.group(words.dropFirst()) else { return nil }
                groups.append(group)
            case "allow":
                guard let rule = Self.rule(words.dropFirst()) else { return nil }
                rules.append(rule)
            default: return nil
            }
        }
        self.init(groups: groups, rules: rules)
    }

    static func line(of group: GroupDefinition) -> String {
        let values =
            group.roles.map { "role=" + encode($0) } + group.groups.map { "group=" + encode($0) }
            + group.users.map { "user=" + encode($0) }
        return (["group", group.name] + values).joined(separator: " ")
    }

    private static func group(_ words: ArraySlice<Substring>) -> GroupDefinition? {
        guard let name = words.first, GroupDefinition.isName(String(name)) else { return nil }
        var roles: [String] = []
        var groups: [String] = []
        var users: [String] = []
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
            default: return nil
            }
        }
        return GroupDefinition(name: String(name), roles: roles, groups: groups, users: users)
    }

    private static func rule(_ words: ArraySlice<Substring>) -> Rule? {
        guard words.count == 2, let word = words.first, let last = words.last,
            let path = PercentEncoding.decode(last)
        else { return nil }
        switch word {
        case "public": return Rule(path: path, audience: .public)
        case "signed-in": return Rule(path: path, audience: .signedIn)
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
