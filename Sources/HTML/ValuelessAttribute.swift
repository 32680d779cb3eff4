/// The attributes that people write without a value.
///
/// A tag whose only attributes are others, `<p name>`, is more likely a placeholder of several
/// words that somebody forgot to escape.
package enum ValuelessAttribute {
    /// - Parameter name: in lower case.
    package static func isKnown(_ name: String) -> Bool {
        names.contains(name) || name.hasPrefix("data-") || name.hasPrefix("aria-")
    }

    /// Boolean attributes of HTML, old and new, attributes that may be empty, and `markdown`.
    private static let names = Set(
        """
        allowfullscreen alt async autofocus autoplay checked compact contenteditable controls \
        crossorigin declare default defer disabled download draggable formnovalidate hidden inert \
        ismap itemscope loop markdown multiple muted nohref nomodule noresize noshade novalidate \
        nowrap open playsinline popover readonly required reversed scoped selected setup spellcheck \
        translate truespeed
        """.split(separator: " ").map(String.init)
    )
}
