import Diagnostics
import Markdown

/// The worker's answer to a block of code.
enum HighlightAnswer: Sendable, Equatable {
    case html(HighlightedCode)
    /// The block stays plain; asking again gives the same answer.
    case plain(Reason)
    /// The source of a drawing is wrong; line and column are counted from 1.
    case mistake(line: Int, column: Int, message: String)

    enum Reason: String, Sendable {
        case unknown, slow, large, failed
        /// The worker gave no proper answer, twice.
        case stopped
        /// The tool cannot be run now. The next build asks again.
        case unavailable
    }

    /// Reads `STATUS SP HTML`, the format of the workers; `nil` for anything else, and for HTML
    /// that does not match `code`.
    init?(reading text: ArraySlice<UInt8>, of code: PlainCode) {
        guard let space = text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let html = text[(space + 1)...]
        if text[..<space].elementsEqual("html".utf8) {
            let isDrawing = DrawnLanguage(codeBlock: code.language) != nil
            if isDrawing, html.count > DrawnMarkup.maximumBytes {
                self = .plain(.large)
                return
            }
            guard let code = HighlightedCode(verifying: html, of: code) else { return nil }
            self = .html(code)
            return
        }
        let status = String(decoding: text[..<space], as: UTF8.self)
        if status == "mistake" {
            let parts = String(decoding: html, as: UTF8.self).split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let line = Int(parts[0]), let column = Int(parts[1]),
                (1...1_000_000).contains(line), (1...1_000_000).contains(column)
            else { return nil }
            self = .mistake(line: line, column: column, message: String(parts[2]))
            return
        }
        guard let reason = Reason(rawValue: status), html.isEmpty else { return nil }
        self = .plain(reason)
    }

    /// The answer in the worker's format.
    var text: [UInt8] {
        switch self {
        case .html(let code): Array("html ".utf8) + code.html
        case .plain(let reason): Array("\(reason.rawValue) ".utf8)
        case .mistake(let line, let column, let message):
            Array("mistake \(line) \(column) \(message)".utf8)
        }
    }

    var code: HighlightedCode? {
        if case .html(let code) = self { code } else { nil }
    }
}

extension HighlightAnswer {
    /// Why a drawing is missing.
    package struct Mistake {
        package let text: String
        package let line: Int
        package let column: Int

        /// Where the mistake is in the file.
        ///
        /// - Parameter start: where the source of the drawing begins.
        package func place(_ start: SourceLocation) -> SourceLocation {
            SourceLocation(
                start.path,
                line: start.line + line - 1,
                column: line == 1 ? start.column + column - 1 : column
            )
        }
    }

    /// - Returns: `nil` for an answer that is shown, and for one that is about the tool.
    package func mistake(_ tool: CodeTool) -> Mistake? {
        let what = tool == .katex ? "formula" : "diagram"
        switch self {
        case .html, .plain(.stopped), .plain(.unavailable): return nil
        case .mistake(let line, let column, let message):
            return Mistake(text: "\(what): \(message)", line: line, column: column)
        case .plain(.slow): return Mistake(text: "\(what) takes too long", line: 1, column: 1)
        case .plain(.large): return Mistake(text: "\(what) is too large", line: 1, column: 1)
        case .plain: return Mistake(text: "\(what) cannot be drawn", line: 1, column: 1)
        }
    }
}
