/// The path of a file of the site, in the one spelling that rules are written for.
public struct SitePath: Sendable, Hashable {
    /// Begins with `/`, ends with `/`; ASCII letters in lower case.
    ///
    /// Every path ends with a slash here, so that the rule for `/hr/` also holds for `/hr`, and
    /// not for `/hrx`. Case is folded, so that a file system that does not tell `/HR/` from
    /// `/hr/` opens no door: sitegen refuses sites with two such paths.
    ///
    /// Bytes, and no `String`: Swift takes `é` as one character and as two for the same, nginx and a
    /// file system do not, and a rule for the one folder must not count for the other.
    let folded: [UInt8]

    /// The path as nginx has it after decoding (`$uri`), or `nil` if it could be read in two ways.
    ///
    /// What nginx has decoded once must not look as if it wanted decoding again; a control
    /// character, a backslash or `//` is read differently by different programs; `.` and `..`
    /// were resolved by nginx. None of these is in a URL that sitegen writes.
    public init?(_ path: String) {
        let bytes = path.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.maximumLength else {
            return nil
        }
        var segmentStart = bytes.index(after: bytes.startIndex)
        var position = segmentStart
        var segments = 0
        var folded: [UInt8] = [UInt8(ascii: "/")]
        folded.reserveCapacity(bytes.count + 1)
        while position < bytes.endIndex {
            let byte = bytes[position]
            switch byte {
            case 0..<0x20, 0x7F, UInt8(ascii: "\\"), UInt8(ascii: "%"), UInt8(ascii: "?"),
                UInt8(ascii: "#"), UInt8(ascii: ";"):
                return nil
            case UInt8(ascii: "/"):
                guard Self.isSegment(bytes[segmentStart..<position]) else { return nil }
                segmentStart = bytes.index(after: position)
                segments += 1
                guard segments <= Self.maximumSegments else { return nil }
            default: break
            }
            folded.append((65...90).contains(byte) ? byte | 0x20 : byte)
            position = bytes.index(after: position)
        }
        if folded.last != UInt8(ascii: "/") {
            guard Self.isSegment(bytes[segmentStart...]) else { return nil }
            folded.append(UInt8(ascii: "/"))
        }
        self.folded = folded
    }

    /// In bytes.
    ///
    /// No URL of a site is as long; a longer one costs time and is answered like any other that no
    /// rule is written for.
    public static let maximumLength = 1024

    /// Each of them costs a look at the rules.
    public static let maximumSegments = 32

    private static func isSegment(_ segment: Substring.UTF8View) -> Bool {
        let dot = UInt8(ascii: ".")
        return !segment.isEmpty && !segment.elementsEqual([dot])
            && !segment.elementsEqual([dot, dot])
    }
}
