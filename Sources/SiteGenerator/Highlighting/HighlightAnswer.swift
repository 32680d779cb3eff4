/// The worker's answer to a block of code.
enum HighlightAnswer: Sendable, Equatable {
    case html(HighlightedCode)
    /// The block stays plain; asking again gives the same answer.
    case plain(Reason)

    enum Reason: String, Sendable {
        case unknown, slow, large, failed
    }

    /// Reads `STATUS SP HTML`, the format of `highlight.py`; `nil` for anything else, and for HTML
    /// that does not match `code`.
    init?(reading text: ArraySlice<UInt8>, of code: PlainCode) {
        guard let space = text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let status = String(decoding: text[..<space], as: UTF8.self)
        let html = text[(space + 1)...]
        if status == "html", let code = HighlightedCode(verifying: html, of: code) {
            self = .html(code)
        } else if let reason = Reason(rawValue: status), html.isEmpty {
            self = .plain(reason)
        } else {
            return nil
        }
    }

    /// The answer in the worker's format.
    var text: [UInt8] {
        switch self {
        case .html(let code): Array("html ".utf8) + code.html
        case .plain(let reason): Array("\(reason.rawValue) ".utf8)
        }
    }

    var code: HighlightedCode? {
        if case .html(let code) = self { code } else { nil }
    }
}
