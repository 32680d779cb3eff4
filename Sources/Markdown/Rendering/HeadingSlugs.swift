import Bytes

/// The ids of a document's headings, as GitHub makes them: `## What's new?` is `#whats-new`, and
/// the second one `#whats-new-1`.
public struct HeadingSlugs {
    private var used: Set<String> = []
    private var counts: [String: Int] = [:]

    public init() { used.reserveCapacity(12) }

    public mutating func next(for text: String) -> String { unique(Self.slug(text)) }

    /// The id, or the id with the first number behind it that is free.
    mutating func unique(_ id: String) -> String {
        var free = id
        while !used.insert(free).inserted {
            counts[id, default: 0] += 1
            free = "\(id)-\(counts[id, default: 0])"
        }
        return free
    }

    /// Reserves an id.
    mutating func reserve(_ id: String) { used.insert(id) }

    /// Letters, marks, digits, `-` and `_` stay, in lower case; spaces become `-`; the rest goes.
    public static func slug(_ text: String) -> String {
        slug(ofASCII: text.utf8.span) ?? slug(ofAny: text)
    }

    private static func slug(ofASCII text: Span<UInt8>) -> String? {
        var slug: [UInt8] = []
        slug.reserveCapacity(text.count)
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case .space: slug.append(UInt8(ascii: "-"))
            case 65...90: slug.append(byte | 0x20)
            case 48...57, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"): slug.append(byte)
            case 0x80...: return nil
            default: continue
            }
        }
        return slug.isEmpty ? "section" : String(decoding: slug, as: UTF8.self)
    }

    private static func slug(ofAny text: String) -> String {
        var slug = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars {
            switch scalar {
            case " ": slug.append("-")
            case "-", "_": slug.append(scalar)
            default:
                if isWordPart(scalar.properties.generalCategory) { slug.append(scalar) }
            }
        }
        return slug.isEmpty ? "section" : String(slug)
    }

    private static func isWordPart(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber,
            .otherNumber, .connectorPunctuation:
            true
        default: false
        }
    }
}
