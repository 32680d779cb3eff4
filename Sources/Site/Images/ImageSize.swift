/// Width and height of an image, read from its first bytes.
struct ImageSize: Sendable, Equatable {
    let width: Int
    let height: Int

    /// The number of bytes that are read: in a JPEG the size follows the camera's metadata.
    static let headerBytes = 256 * 1024

    private init?(_ width: Int, _ height: Int) {
        guard (1...100_000).contains(width), (1...100_000).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// - Parameter bytes: the beginning of a PNG, GIF, JPEG, WebP or SVG file. Anything else gives
    ///   `nil`, whatever the file's name is.
    init?(_ bytes: [UInt8]) {
        let size =
            Self.png(bytes) ?? Self.gif(bytes) ?? Self.jpeg(bytes) ?? Self.webP(bytes)
            ?? VectorImageSize.read(bytes)
        guard let size else { return nil }
        self.init(size.0, size.1)
    }

    /// PNG, section 11.2.1: the header chunk comes first.
    private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]), bytes.count >= 24
        else { return nil }
        return (number(bytes[16..<20]), number(bytes[20..<24]))
    }

    private static func gif(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.starts(with: "GIF8".utf8), bytes.count >= 10 else { return nil }
        return (number(bytes[6..<8].reversed()), number(bytes[8..<10].reversed()))
    }

    /// ITU-T T.81, annex B: skips segments until one that starts a frame.
    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var position = 2
        while position + 9 < bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame {
                let height = number(bytes[position + 5..<position + 7])
                return (number(bytes[position + 7..<position + 9]), height)
            }
            position += 2 + number(bytes[position + 2..<position + 4])
        }
        return nil
    }

    /// RFC 9649, section 2: the first chunk is of one of three kinds.
    private static func webP(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.count >= 30, bytes.starts(with: "RIFF".utf8),
            bytes[8..<12].elementsEqual("WEBP".utf8)
        else { return nil }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X":
            return (
                number(bytes[24..<27].reversed()) + 1, number(bytes[27..<30].reversed()) + 1
            )
        case "VP8L":
            let bits = number(bytes[21..<25].reversed())
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case "VP8 ":
            return (
                number(bytes[26..<28].reversed()) & 0x3FFF,
                number(bytes[28..<30].reversed()) & 0x3FFF
            )
        default: return nil
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
