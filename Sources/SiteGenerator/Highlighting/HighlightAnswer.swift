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
        let html = text[(space + 1)...]
        if text[..<space].elementsEqual("html".utf8) {
            guard let code = HighlightedCode(verifying: html, of: code) else { return nil }
            self = .html(code)
            return
        }
        let status = String(decoding: text[..<space], as: UTF8.self)
        guard let reason = Reason(rawValue: status), html.isEmpty else { return nil }
        self = .plain(reason)
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
