import Diagnostics
import SourceFolder

/// What is wrong with a file that is published unchanged, by its name and its first bytes.
enum FileContent {
    /// The number of bytes that are looked at.
    static let startBytes = 1024

    /// - Parameter start: the first ``startBytes`` bytes of the file, or more.
    /// - Returns: `nil` for a file that may be what its name says.
    static func mistake(in start: [UInt8], named path: String) -> String? {
        if DecodedText.isPointer(start) { return DecodedText.pointer }
        let name = path.lowercased()
        let expected = formats.first { $0.endings.contains(where: name.hasSuffix) }
        if start.isEmpty {
            // A text may be empty, and so may a file of a type that nobody knows.
            let type = ContentType.of(name)
            let mayBeEmpty =
                expected == nil
                && (plainTexts.contains(where: type.hasPrefix) || type == ContentType.unknown)
            return mayBeEmpty ? nil : "is empty"
        }
        guard let expected, !expected.begins(start) else { return nil }
        let found = formats.first { $0.name != "SVG" && $0.begins(start) }?.name
        // Readers of documents skip what stands before the signature; a picture must begin with it.
        guard found != nil || ContentType.of(name).hasPrefix("image/") else { return nil }
        return "its name says \(expected.name), but its content is \(found ?? "something else")"
            + "; rename or replace it"
    }

    private static let plainTexts = [
        "text/plain", "text/csv", "text/markdown", "text/tab-separated-values",
    ]

    private struct Format: Sendable {
        let name: String
        let endings: [String]
        /// Where the bytes stand that all files of the format have, and which they may be.
        var offset = 0
        let signatures: [[UInt8]]

        func begins(_ start: [UInt8]) -> Bool {
            signatures.contains { start.dropFirst(offset).starts(with: $0) }
        }
    }

    private static func text(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static let formats = [
        Format(name: "PNG", endings: [".png"], signatures: [[0x89, 0x50, 0x4E, 0x47]]),
        Format(name: "JPEG", endings: [".jpg", ".jpeg"], signatures: [[0xFF, 0xD8, 0xFF]]),
        Format(name: "GIF", endings: [".gif"], signatures: text("GIF8")),
        Format(name: "WebP", endings: [".webp"], offset: 8, signatures: text("WEBP")),
        Format(name: "AVIF", endings: [".avif"], offset: 4, signatures: text("ftyp")),
        Format(
            name: "SVG",
            endings: [".svg"],
            signatures: text("<", "\u{FEFF}", "\n", "\r", " ", "\t")
        ),
        Format(name: "PDF", endings: [".pdf"], signatures: text("%PDF-")),
        Format(
            name: "ZIP",
            endings: [
                ".zip", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".jar",
            ],
            signatures: [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]]
        ),
        Format(name: "gzip", endings: [".gz", ".tgz"], signatures: [[0x1F, 0x8B]]),
        Format(
            name: "MP4",
            endings: [".mp4", ".m4v", ".m4a", ".mov"],
            offset: 4,
            signatures: text("ftyp", "moov", "mdat", "wide", "free", "skip")
        ),
        Format(name: "WebM", endings: [".webm", ".mkv"], signatures: [[0x1A, 0x45, 0xDF, 0xA3]]),
        Format(name: "WAVE", endings: [".wav"], offset: 8, signatures: text("WAVE")),
        Format(name: "Ogg", endings: [".ogg", ".oga", ".ogv", ".opus"], signatures: text("OggS")),
        Format(name: "WOFF", endings: [".woff"], signatures: text("wOFF")),
        Format(name: "WOFF 2", endings: [".woff2"], signatures: text("wOF2")),
        // Only to say what a file is.
        Format(
            name: "HTML",
            endings: [],
            signatures: text("<!doctype", "<!DOCTYPE", "<html", "<HTML")
        ),
    ]
}
