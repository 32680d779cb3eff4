/// The path of a file of the site in normalised form, in which rules are compared.
public struct SitePath: Sendable, Hashable {
    /// The bytes of the path: begins and ends with `/`, ASCII letters in lower case.
    ///
    /// The slash at the end makes the rule for `/hr/` count for `/hr` and not for `/hrx`. Lower
    /// case makes the rules independent of a file system that does not distinguish `/HR/` from
    /// `/hr/`; sitegen refuses sites with two such paths.
    ///
    /// Bytes instead of a `String`: to Swift, two encodings of `é` are equal, to nginx and a file
    /// system they are two folders, and a rule for one must not count for the other.
    let folded: [UInt8]

    /// The path as the rules see it: one text, however the path is written.
    public var text: String { String(decoding: folded, as: UTF8.self) }

    /// Normalises a path that nginx has decoded (`$uri`), or returns `nil` if it is ambiguous.
    ///
    /// The decoded path must not look encoded again; programs read control characters, backslashes
    /// and `//` differently; nginx has resolved `.` and `..`. No URL that sitegen writes contains
    /// any of these.
    public init?(_ path: String) {
        let bytes = path.utf8.span
        guard bytes.count > 0, bytes[0] == UInt8(ascii: "/"), bytes.count <= Self.maximumLength
        else { return nil }
        var segmentStart = 1
        var segments = 0
        var folded: [UInt8] = []
        folded.reserveCapacity(bytes.count + 1)
        for position in bytes.indices {
            let byte = bytes[position]
            switch byte {
            case 0..<0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "%"), UInt8(ascii: "?"),
                UInt8(ascii: "#"), UInt8(ascii: ";"):
                return nil
            case UInt8(ascii: "/") where position > 0:
                guard Self.isSegment(bytes, segmentStart..<position) else { return nil }
                segmentStart = position + 1
                segments += 1
                guard segments <= Self.maximumSegments else { return nil }
            default: break
            }
            folded.append((65...90).contains(byte) ? byte | 0x20 : byte)
        }
        if folded.last != UInt8(ascii: "/") {
            guard Self.isSegment(bytes, segmentStart..<bytes.count) else { return nil }
            folded.append(UInt8(ascii: "/"))
        }
        self.folded = folded
    }

    /// The greatest length in bytes.
    ///
    /// No URL of a site is this long. A longer path would cost time, and is answered like a path
    /// without a rule.
    public static let maximumLength = 1024

    /// The greatest number of segments; each costs one look-up in the rules.
    public static let maximumSegments = 32

    /// Whether a segment is neither empty nor `.` nor `..`.
    private static func isSegment(_ path: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count > 2 || range.contains { path[$0] != UInt8(ascii: ".") }
    }
}
