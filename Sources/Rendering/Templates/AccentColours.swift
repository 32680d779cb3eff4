import Site

/// The accent colour of links, buttons and the current page, for the light and for the dark scheme.
///
/// Each is as close to the configured colour as readability allows.
struct AccentColours: Sendable {
    /// WCAG 2.2, success criterion 1.4.3.
    static let contrast = 4.5

    let light: Colour
    let dark: Colour

    /// The background colours of a scheme of the built-in theme.
    struct Ground: Sendable {
        /// The backgrounds of pages, and of panels on them.
        let papers: [Colour]
        /// The share of the accent colour in the background of selected items.
        let tint: Double
        /// The colour towards which unreadable colours are moved.
        let ink: Colour
    }

    /// The values of `theme/site.css/base.css`; a test compares them.
    static let lightGround = Ground(
        papers: [
            Colour(red: 0xff, green: 0xff, blue: 0xff), Colour(red: 0xf3, green: 0xf4, blue: 0xf7),
        ],
        tint: 0.1,
        ink: Colour(red: 0, green: 0, blue: 0)
    )
    static let darkGround = Ground(
        papers: [
            Colour(red: 0x14, green: 0x16, blue: 0x1c), Colour(red: 0x20, green: 0x23, blue: 0x2c),
        ],
        tint: 0.14,
        ink: Colour(red: 0xff, green: 0xff, blue: 0xff)
    )

    init(_ accent: Colour, dark: Colour? = nil) {
        light = Self.readable(accent, on: Self.lightGround)
        self.dark = Self.readable(dark ?? accent, on: Self.darkGround)
    }

    static func isReadable(_ colour: Colour, on ground: Ground) -> Bool {
        let grounds = ground.papers + ground.papers.map { $0.mixed(with: colour, ground.tint) }
        return grounds.allSatisfy { colour.contrast(with: $0) >= contrast }
    }

    /// The rule that is appended to the style sheet.
    var styleSheet: String {
        "\n:root { --accent: light-dark(\(light.text), \(dark.text)); }\n"
    }

    private static func readable(_ colour: Colour, on ground: Ground) -> Colour {
        for step in 0...100 {
            let moved = colour.mixed(with: ground.ink, Double(step) / 100)
            if isReadable(moved, on: ground) { return moved }
        }
        return ground.ink
    }
}
