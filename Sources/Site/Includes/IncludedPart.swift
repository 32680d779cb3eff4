import Bytes
import SourceFolder

/// The part of a file that a form includes.
enum IncludedPart: Hashable, Sendable {
    case whole
    /// Lines, counted from 1; an end beyond the file is the file's.
    case lines([ClosedRange<Int>])
    /// What stands between two markers with this name.
    case region(String)
    /// A heading, below the headings before it, with what belongs to it.
    case section([String])
    /// A region or a heading, and of its lines some.
    case anchor(String, [ClosedRange<Int>])

    var name: String {
        switch self {
        case .whole: "the file"
        case .lines(let ranges):
            "lines " + ranges.map { "\($0.lowerBound)–\($0.upperBound)" }.joined(separator: ", ")
        case .region(let name): "the region '\(name)'"
        case .anchor(let name, _): "the region or heading '\(name)'"
        case .section(let words): "the heading '\(words.joined(separator: "#"))'"
        }
    }

    /// A path and what follows it: `file`, `file:name`, `file:2`, `file:2:10`, `file:2:10,20:30`.
    static func split(_ written: Substring, namesOneLine: Bool) -> IncludeForm.Target {
        // The address of another site has a colon, too.
        guard !written.contains("://"), let colon = written.firstIndex(of: ":") else {
            return (String(written), .whole)
        }
        let words = written[written.index(after: colon)...]
        let path = String(written[..<colon])
        if words.isEmpty { return (path, .whole) }
        var ranges: [ClosedRange<Int>] = []
        for range in words.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = range.split(separator: ":", omittingEmptySubsequences: false)
            let numbers = ends.map { Int($0) }
            guard ends.count < 3, zip(ends, numbers).allSatisfy({ $0.isEmpty || ($1 ?? -1) >= 0 })
            else { return (path, .region(String(words))) }
            let first = max(1, numbers[0] ?? 1)
            let last =
                numbers.count > 1 ? numbers[1] ?? Int.max : namesOneLine ? first : Int.max
            // Turned round, it is no line.
            if first <= last { ranges.append(first...last) }
        }
        return (path, .lines(ranges))
    }

    /// A path and its fragment or query, as DocFX writes them: `file#region`, `file?name=region`,
    /// `file#L2-L10`, `file?range=2-10`.
    static func split(address: Substring) -> IncludeForm.Target {
        guard let end = address.firstIndex(where: { $0 == "#" || $0 == "?" }) else {
            return (SitePathName.decode(address) ?? String(address), .whole)
        }
        let path = SitePathName.decode(address[..<end]) ?? String(address[..<end])
        let words = address[address.index(after: end)...]
        var values: [String: Substring] = [:]
        for pair in words.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[parts[0].lowercased()] = parts.count > 1 ? parts[1] : ""
        }
        if address[end] == "?" {
            if let name = values["name"] { return (path, .region(String(name))) }
            return (path, values["range"].flatMap(lines(in:)) ?? .whole)
        }
        return (path, lines(in: words) ?? .region(String(words)))
    }

    /// `2-10,12` or `L2-L10`.
    static func lines(in words: Substring) -> IncludedPart? {
        var ranges: [ClosedRange<Int>] = []
        for range in words.split(separator: ",") {
            let numbers = range.split(separator: "-", omittingEmptySubsequences: false).map {
                Int($0.drop { $0 == "L" || $0 == "l" })
            }
            guard numbers.count < 3, let first = numbers[0], first > 0 else { return nil }
            let last = numbers.count == 1 ? first : numbers[1] ?? Int.max
            if first <= last { ranges.append(first...last) }
        }
        return ranges.isEmpty ? nil : .lines(ranges)
    }
}

extension IncludedPart {
    /// The bytes of a text that belong to the part, without the lines that mark regions.
    ///
    /// - Returns: `nil` if the text has no such part.
    func ranges(in text: [UInt8]) -> [Range<Int>]? {
        switch self {
        case .section(let words):
            return NoteSection.range(in: text, words).map {
                Self.kept(text, in: $0) { _, _ in true }
            }
        case .whole: return Self.kept(text, in: text.indices) { _, _ in true }
        case .anchor(let name, let lines):
            let found = Self.region(name).ranges(in: text) ?? Self.section([name]).ranges(in: text)
            if lines.isEmpty { return found }
            var number = 0
            return found?.flatMap {
                Self.kept(text, in: $0) { _, _ in
                    number += 1
                    return lines.contains { $0.contains(number) }
                }
            }
        case .lines(let ranges):
            let kept = Self.kept(text, in: text.indices) { number, _ in
                ranges.contains { $0.contains(number) }
            }
            return kept.isEmpty ? nil : kept
        case .region(let name):
            var depth = 0
            var isFound = false
            // '#endregion' has no name.
            var nested: [Bool] = []
            let kept = Self.kept(text, in: text.indices) { _, line in
                switch RegionMarker(line, isNamed: name) {
                case .start(let other):
                    if other == name { (depth, isFound) = (depth + 1, true) }
                    return false
                case .end(let other):
                    if other == name, depth > 0 { depth -= 1 }
                    return false
                case .nestedStart(let other):
                    nested.append(other == name)
                    if other == name { (depth, isFound) = (depth + 1, true) }
                    return false
                case .nestedEnd:
                    if nested.popLast() == true, depth > 0 { depth -= 1 }
                    return false
                case nil: return depth > 0
                }
            }
            return isFound ? kept : nil
        }
    }

    /// The lines for which a condition holds, neighbours as one range.
    private static func kept(
        _ text: [UInt8],
        in range: Range<Int>,
        _ isKept: (_ number: Int, _ line: ArraySlice<UInt8>) -> Bool
    ) -> [Range<Int>] {
        var kept: [Range<Int>] = []
        var position = range.lowerBound
        var number = 0
        while position < range.upperBound, let line = TextLine(text.span, at: position) {
            number += 1
            let whole = position..<line.next
            position = line.next
            let words = text[line.range]
            guard isKept(number, words), !RegionMarker.isMarker(words) else { continue }
            if let last = kept.last, last.upperBound == whole.lowerBound {
                kept[kept.count - 1] = last.lowerBound..<whole.upperBound
            } else {
                kept.append(whole)
            }
        }
        return kept
    }
}
