import POSIX

/// All targets by their names.
///
/// A target gets any bytes and expects properties of what our code makes of them. It is a function
/// of its input: a finding can be repeated.
enum FuzzTarget {
    typealias Test = @Sendable ([UInt8]) -> Void

    static let all: [String: Test] = families.reduce(into: [:]) { all, family in
        all.merge(family) { _, _ in fatalError("two targets have the same name") }
    }

    private static let families: [[String: Test]] = [
        RequestTargets.all, SealTargets.all, ProviderTargets.all, SettingsTargets.all,
        FrontMatterTargets.all, IncludeTargets.all, MarkdownTargets.all, ThemeTargets.all,
        ReleaseTargets.all,
        EmulatorTargets.all, AnswerTargets.all,
    ]

    /// Ends the process, which libFuzzer reports as a finding; a test that replays inputs goes on.
    @TaskLocal static var report: @Sendable (String) -> Void = { fatalError($0) }

    /// The one that the environment names.
    static let chosen: Test = all[Host.environment["FUZZ_TARGET"] ?? ""] ?? { @Sendable _ in }
}

/// Reports a property that does not hold.
func expect(
    _ holds: Bool,
    _ property: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: UInt = #line
) {
    if !holds { FuzzTarget.report("does not hold: \(property()) (\(file):\(line))") }
}

/// A value that a target cannot do without.
func require<Value>(
    _ value: Value?,
    _ what: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: UInt = #line
) -> Value {
    guard let value else { fatalError("there is no \(what())", file: file, line: line) }
    return value
}

/// What a target is told to do beside the text itself, read from the beginning of the input.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next byte, or 0 at the end.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func index(below count: Int) -> Int { Int(byte()) % count }

    /// The bytes up to the next 0xFF, which no text in UTF-8 contains.
    mutating func part() -> [UInt8] {
        let part = rest.prefix { $0 != 0xFF }
        rest = rest[part.endIndex...].dropFirst()
        return Array(part)
    }

    mutating func text() -> String { String(decoding: part(), as: UTF8.self) }

    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
