import Diagnostics
import HTML
import Markdown

extension Diagnostic {
    /// - Parameter subject: the author's words, if the message contains more than them.
    package init(
        _ rule: Rule,
        _ message: String,
        at location: SourceLocation?,
        notes: [Note] = [],
        subject: String? = nil
    ) {
        self.init(
            rule.defaultSeverity,
            message,
            at: location,
            notes: notes,
            rule: rule.rawValue,
            subject: subject
        )
    }

    /// The message for a finding of the Markdown parser.
    package init(_ diagnostic: MarkdownDiagnostic.Kind, at location: SourceLocation) {
        switch diagnostic {
        case .rawHTML(let omission):
            self.init(.rawHTML, omission.message, at: location, subject: omission.words)
        case .missingAlternativeText:
            let message = "image has no alternative text; write it as '![alternative text](…)'"
            self.init(.missingAlternativeText, message, at: location)
        case .skippedHeadingLevel(let last, let level):
            let message = "heading of level \(level) follows a heading of level \(last)"
            self.init(.skippedHeadingLevel, message, at: location)
        case .secondTopHeading:
            self.init(.severalTopHeadings, "page already has a heading of level 1", at: location)
        case .unusedDefinition(let label):
            self.init(.unusedDefinition, "no link uses the definition '[\(label)]'", at: location)
        case .duplicateID(let id):
            let message = "another heading has the id '\(id)'; the id of this heading gets a number"
            self.init(.duplicateID, message, at: location)
        case .extraCells(let header, let row):
            let message =
                "row has \(row) cells but the header has \(header); the extra cells are dropped;"
                + " write '\\|' for a bar in a cell, also in code"
            self.init(.extraCells, message, at: location)
        case .literalMark(let mark, let space):
            self.init(.literalMarks, Self.message(ofMark: mark, space), at: location)
        case .markInHTML(let mark):
            let message =
                "'\(mark)' stays text in a block of HTML; write an empty line between HTML and Markdown"
            self.init(.literalMarks, message, at: location)
        case .conflictMarks(let mark):
            self.init(conflictMark: mark, at: location)
        case .reservedID(let id):
            let message =
                "ids that begin with 'Site-' are reserved for templates; '\(id)' is removed"
            self.init(.duplicateID, message, at: location)
        }
    }

    /// For a line by which git marks a conflict, in the text of a page or in its front matter.
    package init(conflictMark mark: String, at location: SourceLocation) {
        let message =
            "'\(mark)' marks a conflict of a merge; keep one of the two versions, and remove the marks"
        self.init(.conflictMarks, message, at: location)
    }

    private static func message(ofMark mark: String, _ space: Int) -> String {
        if space == 0 { return "'\(mark)' stays text, because no space follows; write '\(mark) …'" }
        let name =
            switch space {
            case 0xA0: "a no-break space"
            case 0x202F: "a narrow no-break space"
            case 0x200B: "a zero-width space"
            case 0x3000: "an ideographic space"
            case 0xFEFF: "a byte-order mark"
            default: "an unusual space"
            }
        let digits = String(space, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "\(name) (\(code)) beside '\(mark)' is no space to Markdown; write a plain one"
    }
}

extension Diagnostic {
    /// Whether it is an error that no site can lower.
    package var isFatal: Bool {
        severity == .error
            && (rule == nil || rule.flatMap(Rule.init)?.reasonToFailClosed != nil)
    }
}

extension [Diagnostic] {
    /// Sets the rule of the diagnostics that have none.
    package func named(_ rule: Rule) -> [Diagnostic] {
        map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.rule = diagnostic.rule ?? rule.rawValue
            return diagnostic
        }
    }
}

extension Rule {
    /// The rule for an unknown key of front matter.
    ///
    /// A key that may be a misspelling of one that protects the page fails closed.
    package static func unknownKey(_ key: String) -> Rule {
        let guarding = ["access", "draft", "widens"]
        let isNear =
            guarding.contains { NearestName.distance(key, $0) <= 2 }
            || key.lowercased().split { !$0.isLetter }.contains("access")
        return isNear ? .misspeltAccessKey : .unknownKey
    }
}
