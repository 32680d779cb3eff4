import Diagnostics

/// Colours of a terminal (ECMA-48, "select graphic rendition").
struct Palette {
    let isOn: Bool

    func bold(_ text: String) -> String { paint(text, "1") }
    func mark(_ text: String) -> String { paint(text, "1;32") }
    func quiet(_ text: String) -> String { paint(text, "2") }

    func severity(_ severity: Diagnostic.Severity) -> String {
        switch severity {
        case .error: paint(severity.rawValue, "1;31")
        case .warning: paint(severity.rawValue, "1;33")
        case .note: paint(severity.rawValue, "1;36")
        }
    }

    private func paint(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
