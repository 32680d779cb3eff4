/// The names of HTML's elements, whether authors may write them or not.
///
/// Any other name, `<name>`, is more likely a placeholder that somebody forgot to escape.
package enum KnownElement {
    /// - Parameter name: in lower case.
    package static func isKnown(_ name: String) -> Bool {
        SafeElement(name) != nil || others.contains(name)
    }

    /// Whether browsers do not show the element's content.
    package static func hidesContent(_ name: String) -> Bool { name == "script" || name == "style" }

    /// Whether the element is left out with its content, in one report.
    package static func isWhole(_ name: String) -> Bool {
        ["svg", "math", "select", "object", "video", "audio", "map"].contains(name)
    }

    /// Whether browsers block the element, because the Content-Security-Policy that nginx sends
    /// (nginx/headers.conf) allows no frames, no objects, and scripts and styles of the theme only.
    package static func isBlocked(_ name: String) -> Bool {
        ["iframe", "frame", "frameset", "object", "embed", "applet", "portal", "script", "style"]
            .contains(name)
    }

    /// Whether words on both sides of the element's tags may be one: `un<b>believ</b>able`.
    package static func joinsWords(_ name: String) -> Bool { joining.contains(name) }

    /// Whether the element begins on a line of its own, or in a cell.
    package static func breaksLine(_ name: String) -> Bool {
        guard let element = SafeElement(name) else { return others.contains(name) }
        switch element.kind {
        case .text: return name == "br"
        case .link, .ruby, .rubyText, .picture, .pictureSource: return false
        default: return true
        }
    }

    private static let joining: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "del", "dfn", "em", "font", "i", "ins",
        "mark", "nobr", "s", "small", "span", "strike", "strong", "u", "wbr",
    ]

    private static let others = Set(
        """
        acronym address animate applet area article aside audio base basefont bgsound blink body \
        button canvas data datalist dialog dir embed fieldset font footer form frame frameset \
        head header hgroup html iframe image input isindex keygen label legend link listing main \
        map marquee math menu menuitem meta meter nav nobr noembed noframes noscript object \
        optgroup option output param plaintext portal progress rb rtc script search section \
        select slot style svg template textarea title track video xmp
        """.split(separator: " ").map(String.init)
    )
}
