import Foundation
import Testing

@testable import Rendering
@testable import Site

/// Whether everything in the built-in theme can be read (WCAG 2.2, success criteria 1.4.3, 1.4.11).
@Suite struct ContrastTests {
    /// The colours of the style sheet, `light-dark(#rrggbb, #rrggbb)`, by the names of their
    /// custom properties.
    private static let colours: [String: (light: Colour, dark: Colour)] = {
        var colours: [String: (light: Colour, dark: Colour)] = [:]
        for file in TemplateSources(nil).files where file.path.hasSuffix(".css") {
            for line in String(decoding: file.bytes, as: UTF8.self).split(separator: "\n") {
                guard
                    let match = line.firstMatch(
                        of: /--([a-z-]+): light-dark\((#\w{6}), (#\w{6})\)/
                    ),
                    let light = Colour(String(match.2)), let dark = Colour(String(match.3))
                else { continue }
                colours[String(match.1)] = (light, dark)
            }
        }
        return colours
    }()

    private static func check(_ name: String, on grounds: [String], _ least: Double) throws {
        let colour = try #require(colours[name], "\(name)")
        for ground in grounds {
            let ground = try #require(colours[ground])
            #expect(colour.light.contrast(with: ground.light) >= least, "\(name), light")
            #expect(colour.dark.contrast(with: ground.dark) >= least, "\(name), dark")
        }
    }

    @Test func `the arithmetic is that of the specification`() throws {
        let black = try #require(Colour("#000000"))
        let white = try #require(Colour("#ffffff"))
        let grey = try #require(Colour("#777777"))
        #expect(black.contrast(with: white) == 21)
        #expect(abs(grey.contrast(with: white) - 4.48) < 0.005)
        #expect(white.mixed(with: black, 0.25).text == "#bfbfbf")
        #expect(Colour("#0a5A2f")?.text == "#0a5a2f")
    }

    @Test func `text is readable on every background`() throws {
        for name in ["ink", "soft", "note", "tip", "important", "warning", "caution"] {
            try Self.check(name, on: ["paper", "panel", "code"], 4.5)
        }
        for name in Self.colours.keys where name.hasPrefix("code-") {
            try Self.check(name, on: ["code"], 4.5)
        }
        #expect(Self.colours.keys.count { $0.hasPrefix("code-") } == 8)
        try Self.check("accent-ink", on: ["accent"], 4.5)
        try Self.check("edge", on: ["paper", "panel"], 3)
    }

    @Test func `what accents are measured by is what the style sheet has`() throws {
        let names = ["paper", "panel"]
        #expect(AccentColours.lightGround.papers == names.compactMap { Self.colours[$0]?.light })
        #expect(AccentColours.darkGround.papers == names.compactMap { Self.colours[$0]?.dark })
        let accent = try #require(Self.colours["accent"])
        #expect(AccentColours.isReadable(accent.light, on: AccentColours.lightGround))
        #expect(AccentColours.isReadable(accent.dark, on: AccentColours.darkGround))
    }

    @Test func `any accent can be read, and a good one stays as it is`() throws {
        for red in stride(from: 0, through: 255, by: 51) {
            for green in stride(from: 0, through: 255, by: 51) {
                for blue in stride(from: 0, through: 255, by: 51) {
                    let colour = Colour(red: red, green: green, blue: blue)
                    let accents = AccentColours(colour)
                    #expect(AccentColours.isReadable(accents.light, on: AccentColours.lightGround))
                    #expect(AccentColours.isReadable(accents.dark, on: AccentColours.darkGround))
                }
            }
        }
        let green = try #require(Colour("#0a5a2f"))
        #expect(AccentColours(green).light == green)
        #expect(AccentColours(green).dark != green)
        // Yellow is no colour for text on white.
        let yellow = try #require(Colour("#ffdd00"))
        #expect(AccentColours(yellow).light != yellow)
        #expect(AccentColours(yellow).dark == yellow)
    }
}
