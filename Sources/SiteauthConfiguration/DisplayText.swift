/// Cleans texts from tokens for pages, logs and cookies.
package enum DisplayText {
    /// A name without control and direction characters, cut to a length.
    package static func clean(_ text: String, maximumLength: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
                // The joiners of emoji and of several scripts are "format" too.
                if scalar == "\u{200D}" || scalar == "\u{200C}" { scalars.append(scalar) }
            default: scalars.append(scalar)
            }
        }
        var cleaned = String(String(scalars).prefix(maximumLength))
        // A letter may carry any number of marks.
        while cleaned.utf8.count > maximumLength * 4 { cleaned.removeLast() }
        return cleaned
    }

    /// An identifier that is only returned to the provider, or `nil` if it is not plain ASCII of a
    /// sensible length.
    package static func opaque(_ text: String) -> String? {
        text.utf8.count <= 512 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
    }

    /// A session id of the provider: ASCII characters without control characters, or `nil`.
    ///
    /// The OpenID Foundation's suite has spaces in them.
    package static func sessionID(_ text: String) -> String? {
        (1...512).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            ? text : nil
    }

    /// A GUID in lower case, or `nil`.
    package static func guid(_ text: String) -> String? {
        let lower = text.lowercased()
        return CompactText(lower).isGUID ? lower : nil
    }
}
