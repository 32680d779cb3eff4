/// The lines of a code block that stand out: marked, inserted or deleted.
package struct CodeLines {
    private enum Kind: UInt8 {
        case plain, marked, inserted, deleted
    }

    package let count: Int
    package private(set) var hasMarks = false
    private var kinds: [Kind] = []
    /// Whether the lines have signs of their own.
    private let isDiff: Bool

    /// - Parameter isDiff: whether the first sign of a line says what it is.
    package init(_ code: Span<UInt8>, _ info: CodeInfo, isDiff: Bool) {
        self.isDiff = isDiff
        var count = 0
        var isStart = true
        for index in code.indices {
            let byte = code[index]
            if isStart {
                count += 1
                // '--- a' and '+++ b' name the files.
                let isName =
                    index + 2 < code.count && code[index + 1] == byte && code[index + 2] == byte
                kinds.append(isDiff && !isName ? Self.kind(ofDiff: byte) : .plain)
            }
            isStart = byte == UInt8(ascii: "\n")
        }
        self.count = count
        if isDiff { hasMarks = kinds.contains { $0 != .plain } }
        set(info.marked, .marked)
        set(info.inserted, .inserted)
        set(info.deleted, .deleted)
    }

    private static func kind(ofDiff byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "+"): .inserted
        case UInt8(ascii: "-"): .deleted
        default: .plain
        }
    }

    private mutating func set(_ ranges: [ClosedRange<Int>], _ kind: Kind) {
        // Each line once, however often a hostile info string names it.
        var next = 1
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let (first, last) = (max(range.lowerBound, next), min(range.upperBound, count))
            guard first <= last else { continue }
            hasMarks = true
            for line in first...last { kinds[line - 1] = kind }
            next = last + 1
        }
    }

    /// The HTML of a text with a line for each line of the code.
    package var marks: [UInt8] {
        var html: [UInt8] = []
        var index = 0
        while index < kinds.count {
            let kind = kinds[index]
            let end = kinds[index...].firstIndex { $0 != kind } ?? kinds.count
            let element =
                switch kind {
                case .plain: ""
                case .marked: "b"
                case .inserted: "ins"
                case .deleted: "del"
                }
            if !element.isEmpty { html += "<\(element)>".utf8 }
            // Colours alone say nothing to some readers.
            let sign =
                isDiff ? "\n" : kind == .inserted ? "+\n" : kind == .deleted ? "−\n" : "\n"
            for _ in index..<end { html += sign.utf8 }
            if !element.isEmpty { html += "</\(element)>".utf8 }
            index = end
        }
        return html
    }
}
