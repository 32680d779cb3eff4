import HTML

/// Text made safe for XML.
enum XMLText {
    /// XML 1.0 forbids most control characters, even escaped.
    static func escape(_ text: String) -> String {
        let allowed = text.unicodeScalars.filter { scalar in
            scalar.value >= 0x20
                ? ![0xFFFE, 0xFFFF].contains(scalar.value)
                : "\t\n\r".unicodeScalars.contains(scalar)
        }
        return HTMLText.escape(String(String.UnicodeScalarView(allowed)))
    }
}
