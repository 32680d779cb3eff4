/// What stands on the keys of a keyboard, by the names that Material for MkDocs gives them.
enum KeyNames {
    /// - Parameter keys: `ctrl+alt+del`
    static func labels(_ keys: String) -> [String] {
        keys.split(separator: "+").map { label(String($0).lowercased()) }
    }

    private static func label(_ name: String) -> String {
        if let label = labels[name] { return label }
        if name.count == 1 || name.first == "f" && Int(name.dropFirst()) != nil {
            return name.uppercased()
        }
        return name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined(separator: " ")
    }

    private static let labels = [
        "control": "Ctrl", "escape": "Esc", "delete": "Del", "insert": "Ins", "return": "Enter",
        "command": "Cmd", "windows": "Win", "page-up": "Page Up", "pgup": "Page Up",
        "page-down": "Page Down", "pgdn": "Page Down", "up": "↑", "arrow-up": "↑", "down": "↓",
        "arrow-down": "↓", "left": "←", "arrow-left": "←", "right": "→", "arrow-right": "→",
        "plus": "+", "minus": "-", "comma": ",", "period": ".", "slash": "/", "backslash": "\\",
        "equal": "=", "semicolon": ";", "quote": "'", "backquote": "`", "tilde": "~",
        "caps": "Caps Lock", "print": "Print Screen", "num": "Num Lock",
    ]
}
