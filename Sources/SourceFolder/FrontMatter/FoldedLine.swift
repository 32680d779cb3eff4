import UTF8Proc

/// A line as its reader sees it: without invisible characters, and with ASCII in place of the
/// letters and marks that look like it.
///
/// Each other letter is one byte 0xFF, and each other mark is `~`.
struct FoldedLine {
    private(set) var bytes: [UInt8] = []

    /// - Parameter line: UTF-8.
    init(_ line: ArraySlice<UInt8>) {
        if line.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            bytes = Array(line)
        } else {
            fold(line)
        }
        // WYSIWYG editors escape marks of Markdown.
        if bytes.contains(UInt8(ascii: "\\")) { bytes.removeAll { $0 == UInt8(ascii: "\\") } }
        if !bytes.contains(UInt8(ascii: "&")) { return }
        for colon in ["&#58;", "&#x3A;", "&colon;"] {
            bytes.replace(Array(colon.utf8), with: [UInt8(ascii: ":")])
        }
    }

    private mutating func fold(_ line: ArraySlice<UInt8>) {
        for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x20..<0x7F: bytes.append(UInt8(scalar.value))
            // Chinese and Japanese characters: the questions below are slow.
            case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF: bytes.append(0xFF)
            default: append(scalar)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        // Fullwidth, bold and circled letters are compositions of letters.
        for part in scalar.lowercaseDecomposition {
            let properties = part.properties
            if let letter = Self.lookalikes[part] {
                bytes.append(letter)
            } else if properties.isWhitespace {
                bytes.append(UInt8(ascii: " "))
            } else if part.isInvisible || properties.generalCategory == .nonspacingMark {
                continue
            } else if part.isASCII {
                bytes.append(UInt8(part.value))
            } else if properties.isDash {
                bytes.append(UInt8(ascii: "-"))
            } else {
                bytes.append(properties.isAlphabetic ? 0xFF : UInt8(ascii: "~"))
            }
        }
    }

    /// Cyrillic, Greek and Latin letters of the word `access`, and colons.
    private static let lookalikes: [Unicode.Scalar: UInt8] = [
        "а": 97, "α": 97, "ɑ": 97, "ᴀ": 97, "с": 99, "ς": 99, "ᴄ": 99, "е": 101, "ε": 101,
        "ᴇ": 101, "ѕ": 115, "ꜱ": 115, "ː": 58, "∶": 58, "꞉": 58,
    ]
}
