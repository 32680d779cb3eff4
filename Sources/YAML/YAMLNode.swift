/// A value of a YAML document.
public struct YAMLNode: Sendable {
    public enum Content: Sendable {
        /// A text; `isPlain` if it has no quotes and no sign of a block, and `isText` if its author
        /// says that it is neither a number nor anything else, by quotes or by a tag.
        case scalar(String, isPlain: Bool, isText: Bool)
        case sequence([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    public let content: Content
    /// Where it begins, counted from 1.
    public let mark: YAMLMark

    /// The text of a scalar.
    public var text: String? {
        guard case .scalar(let text, _, _) = content else { return nil }
        return text
    }

    /// Whether it says, without quotes, that there is no value (YAML 1.1, "null").
    public var isNull: Bool {
        guard case .scalar(let text, true, false) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// YAML 1.1, "bool".
    public var bool: Bool? {
        guard case .scalar(let text, _, false) = content else { return nil }
        switch text.lowercased() {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: return nil
        }
    }

    /// YAML 1.1, "float", with numbers to the base 60 such as `1:30`.
    public var number: Double? {
        guard case .scalar(let text, true, _) = content else { return nil }
        switch text.lowercased() {
        case ".inf", "+.inf": return .infinity
        case "-.inf": return -.infinity
        case ".nan": return .nan
        default: break
        }
        let digits = text.filter { $0 != "_" }
        guard digits.contains(":") else { return Double(digits) }
        let isNegative = digits.hasPrefix("-")
        let hasSign = isNegative || digits.hasPrefix("+")
        var value = 0.0
        for part in digits.dropFirst(hasSign ? 1 : 0)
            .split(separator: ":", omittingEmptySubsequences: false)
        {
            guard let part = Double(part) else { return nil }
            value = value * 60 + part
        }
        return isNegative ? -value : value
    }
}

/// A place in a text, counted from 1.
public struct YAMLMark: Sendable {
    public let line: Int
    /// In characters.
    public let column: Int
}
