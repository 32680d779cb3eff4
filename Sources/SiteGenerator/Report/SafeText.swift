/// Makes text of authors, and names of files, safe for a terminal.
///
/// Escape sequences in a page could move the cursor and forge other lines. Marks that change the
/// text direction could make a line read as another ("Trojan Source", CVE-2021-42574).
public enum SafeText {
    public static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isDangerous) else { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            safe.append(isDangerous(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(safe)
    }

    private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
