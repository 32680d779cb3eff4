import Glibc

/// A colour in sRGB, as `#rrggbb` writes it.
public struct Colour: Sendable, Equatable {
    package let red: Int
    package let green: Int
    package let blue: Int

    package init(red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// `nil` if the text is not `#` and six hexadecimal digits.
    package init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let number = Int(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(red: number >> 16, green: number >> 8 & 0xff, blue: number & 0xff)
    }

    package var text: String {
        "#"
            + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The result of `color-mix(in srgb, self, other share)`.
    package func mixed(with other: Colour, _ share: Double) -> Colour {
        func mix(_ one: Int, _ two: Int) -> Int {
            Int((Double(one) * (1 - share) + Double(two) * share).rounded())
        }
        return Colour(
            red: mix(red, other.red),
            green: mix(green, other.green),
            blue: mix(blue, other.blue)
        )
    }

    /// The contrast ratio, from 1 for equal colours to 21 for black on white (WCAG 2.2, "contrast
    /// ratio").
    package func contrast(with other: Colour) -> Double {
        let luminances = [luminance, other.luminance].sorted()
        return (luminances[1] + 0.05) / (luminances[0] + 0.05)
    }

    /// WCAG 2.2, "relative luminance".
    private var luminance: Double {
        func linear(_ channel: Int) -> Double {
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
