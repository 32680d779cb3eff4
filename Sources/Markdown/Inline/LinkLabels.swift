import CommonMark

/// Where the labels of a document's reference links lead.
///
/// libcmark finds the definitions and folds their case by Unicode's rules, but does not tell them.
/// So labels that may be needed are put before the document as links, the document is parsed once
/// more, and the destinations of these links are read.
struct LinkLabels {
    struct Target {
        let destination: String
        let title: String
    }

    private var targets: [[UInt8]: Target] = [:]

    static let maximumBytes = 1000

    subscript(label: ArraySlice<UInt8>) -> Target? { targets[Self.normalized(label)] }

    init() {}

    /// - Parameter texts: of the leaves that may refer to labels.
    init(of texts: @autoclosure () -> [[UInt8]], in source: SourceText) {
        guard source.allTraits.contains(.definition) else { return }
        var labels: Set<[UInt8]> = []
        for text in texts() { Self.collect(text, into: &labels) }
        if labels.isEmpty { return }
        let asked = labels.sorted { $0.lexicographicallyPrecedes($1) }
        var questions: [UInt8] = []
        for label in asked { questions += Array("# [x][".utf8) + label + Array("]\n".utf8) }
        let count = asked.count
        var answered = 0
        var found: [[UInt8]: Target] = [:]
        Document(questions + source.bytes, isValid: true).walk { node, entering in
            guard entering else { return .skip }
            switch node.kind {
            case .document: return .descend
            case .heading where answered < count:
                answered += 1
                return .descend
            // Another column is that of an autolink in the label.
            case .link where node.line == answered && node.column == 3:
                found[asked[answered - 1]] = Target(
                    destination: node.destination,
                    title: node.title
                )
                return .skip
            default: return .skip
            }
        }
        targets = found
    }

    private static func collect(_ text: [UInt8], into labels: inout Set<[UInt8]>) {
        for index in text.indices where text[index] == UInt8(ascii: "[") {
            guard let (label, _) = label(text, at: index) else { continue }
            let normalized = normalized(label)
            // The label of a footnote is no label of a link; '^' alone is no footnote's.
            let isFootnote = normalized.first == UInt8(ascii: "^") && normalized.count > 1
            if !normalized.isEmpty, !isFootnote {
                labels.insert(normalized)
            }
        }
    }

    /// The text of a label, brackets excluded, and what follows it.
    static func label(_ input: [UInt8], at start: Int) -> (text: ArraySlice<UInt8>, end: Int)? {
        guard start < input.count, input[start] == UInt8(ascii: "[") else { return nil }
        var scan = start + 1
        while scan < input.count, scan - start <= maximumBytes + 1 {
            switch input[scan] {
            case UInt8(ascii: "]"):
                var text = input[start + 1..<scan]
                while let first = text.first, first.isWhitespace { text.removeFirst() }
                while let last = text.last, last.isWhitespace { text.removeLast() }
                return (text, scan + 1)
            case UInt8(ascii: "["): return nil
            case UInt8(ascii: "\\"):
                let isEscape = scan + 1 < input.count && input[scan + 1].isPunctuation
                scan += isEscape ? 2 : 1
            default: scan += 1
            }
        }
        return nil
    }

    /// With single spaces, as a line of its own may have them.
    private static func normalized(_ label: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        for byte in label {
            if !byte.isWhitespace {
                text.append(byte)
            } else if let last = text.last, last != .space {
                text.append(.space)
            }
        }
        if text.last == .space { text.removeLast() }
        return text
    }
}
