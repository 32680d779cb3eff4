import Bytes
import OpenSSL

/// A digest of the language and the code of a block.
struct HighlightKey: Sendable, Hashable, Comparable {
    let first: UInt64
    let second: UInt64

    static let byteCount = 16

    init(language: String, html: ArraySlice<UInt8>) {
        var text = Array(language.utf8)
        text.append(UInt8(ascii: "\n"))
        text += html
        let digest = Digest.sha256(text)
        self.init(digest.span, at: 0)
    }

    /// Reads a key of ``bytes``.
    init(_ bytes: Span<UInt8>, at start: Int) {
        first = bytes.word(at: start)
        second = bytes.word(at: start + 8)
    }

    var bytes: [UInt8] { [first, second].flatMap(\.bytes) }

    static func < (left: HighlightKey, right: HighlightKey) -> Bool {
        (left.first, left.second) < (right.first, right.second)
    }
}

extension UInt64 {
    /// The lowest one first, as ``Swift/Span/word(at:)`` reads them.
    package var bytes: [UInt8] {
        stride(from: UInt64(0), to: 64, by: 8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
