/// Why a member of a JSON object cannot be used.
public struct MemberError: Error, Equatable, CustomStringConvertible {
    public enum Problem: Sendable, Equatable {
        case missing
        /// The member has another type, such as `null`, or an impossible value.
        case wrong(expected: String)
    }

    public let name: String
    public let problem: Problem

    public init(_ name: String, _ problem: Problem) {
        self.name = name
        self.problem = problem
    }

    public var description: String {
        switch problem {
        case .missing: "'\(name)' is missing"
        case .wrong(let expected): "'\(name)' is not \(expected)"
        }
    }
}

/// Reads members by the type that their standard demands.
///
/// A program that reads `issuer: 5` as "no issuer" skips the comparison that the issuer is there
/// for. So a member is missing, or has the right type, or the whole object is refused; `null` is a
/// wrong type (RFC 8259, section 3, has it as a value).
extension JSON.Members {
    /// The greatest length of a text, unless the caller allows more.
    public static let maximumTextBytes = 2048

    /// A text that is not empty.
    public func text(
        _ name: String,
        maximumBytes: Int = maximumTextBytes
    ) throws(MemberError) -> String {
        try required(name, textIfPresent(name, maximumBytes: maximumBytes))
    }

    /// A text that is not empty, or `nil` if there is no such member.
    public func textIfPresent(
        _ name: String,
        maximumBytes: Int = maximumTextBytes
    ) throws(MemberError) -> String? {
        let expected = "a text of 1 to \(maximumBytes) bytes"
        return try read(name, expected) { value in
            guard let text = value.string, (1...maximumBytes).contains(text.utf8.count) else {
                return nil
            }
            return text
        }
    }

    /// A text for display, or `nil`: a provider without one should omit the member, but may send
    /// `null` or an empty text (OpenID Connect Core 1.0, section 5.3.2).
    public func displayTextIfPresent(_ name: String) throws(MemberError) -> String? {
        if self[name] == .null || self[name] == "" { return nil }
        return try textIfPresent(name)
    }

    /// A text that may be empty, such as an explanation for people, or `nil` if there is none.
    public func explanationIfPresent(_ name: String) throws(MemberError) -> String? {
        try read(name, "a text", \.string)
    }

    public func integerIfPresent(
        _ name: String,
        in range: ClosedRange<Int> = Int.min...Int.max
    ) throws(MemberError) -> Int? {
        try read(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
            value.integer.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    public func boolIfPresent(_ name: String) throws(MemberError) -> Bool? {
        try read(name, "true or false", \.bool)
    }

    public func arrayIfPresent(_ name: String) throws(MemberError) -> [JSON]? {
        try read(name, "an array", \.array)
    }

    public func textsIfPresent(_ name: String) throws(MemberError) -> [String]? {
        try read(name, "an array of texts", \.strings)
    }

    public func objectIfPresent(_ name: String) throws(MemberError) -> JSON.Members? {
        try read(name, "an object", \.members)
    }

    /// The value that was read, or the error that the member is missing.
    public func required<Value>(
        _ name: String,
        _ value: Value?
    ) throws(MemberError) -> Value {
        guard let value else { throw MemberError(name, .missing) }
        return value
    }

    private func read<Value>(
        _ name: String,
        _ expected: String,
        _ convert: (JSON) -> Value?
    ) throws(MemberError) -> Value? {
        guard let member = self[name] else { return nil }
        guard let value = convert(member) else {
            throw MemberError(name, .wrong(expected: expected))
        }
        return value
    }
}
