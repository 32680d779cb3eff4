/// A JSON value (RFC 8259).
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number with a fraction or an exponent, always finite.
    case number(Double)
    case string(String)
    case array([JSON])
    case object(Members)

    /// The members of an object in their order; no name occurs twice.
    public struct Members: Sendable, Equatable, ExpressibleByDictionaryLiteral {
        public private(set) var names: [String] = []
        private var values: [String: JSON] = [:]

        public init() {}

        /// - Precondition: no name is given twice.
        public init(dictionaryLiteral elements: (String, JSON)...) {
            for (name, value) in elements {
                precondition(values[name] == nil, "two members called '\(name)'")
                self[name] = value
            }
        }

        public subscript(name: String) -> JSON? {
            get { values[name] }
            set {
                if values[name] == nil, newValue != nil { names.append(name) }
                if newValue == nil { names.removeAll { $0 == name } }
                values[name] = newValue
            }
        }
    }

    public subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    public var members: Members? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    public var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The value if it was written as an integer; `1.0` and `1e3` are not integers.
    public var integer: Int? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    public var array: [JSON]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// The elements of an array that contains only strings.
    public var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// - Precondition: no name is given twice.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var members = Members()
        for (name, value) in elements {
            precondition(members[name] == nil, "two members called '\(name)'")
            members[name] = value
        }
        self = .object(members)
    }
}
