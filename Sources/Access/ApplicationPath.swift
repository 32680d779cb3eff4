/// The path of a request to an application, in the form in which rules are compared.
///
/// Other than a file's path (``SitePath``), it may contain `%`, `;`, `?` and `#`, which programs read
/// differently: they decode once more, or end the path or a segment there. All of them agree on the
/// bytes before. So each rule that fits these bytes has to admit the reader
/// (``AccessPolicy/audiences(of:)``).
public struct ApplicationPath: Sendable, Hashable {
    /// The bytes on which all programs agree, ASCII letters in lower case; the whole path with `/` at
    /// its end if they agree on all of it.
    let certain: [UInt8]
    let isWhole: Bool

    /// The path as the rules see it, with `…` where programs disagree about the rest, which may be a
    /// query or a session's id.
    public var text: String { String(decoding: certain, as: UTF8.self) + (isWhole ? "" : "…") }

    /// The greatest length in bytes: that of a request line of nginx.
    public static let maximumLength = 8192
    /// How often a program may decode the path; a path that is encoded more often is refused.
    private static let maximumLayers = 4

    /// Reads a path that nginx has decoded (`$uri`), or returns `nil` if a program could find control
    /// characters, a backslash, or `.` and `..` as segments in it, however often it decodes.
    public init?(_ path: String) {
        let bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.maximumLength,
            Self.isHarmless(bytes)
        else { return nil }
        var certain: [UInt8] = []
        for byte in bytes {
            if Self.ends.contains(byte) { break }
            // nginx has merged slashes, unless somebody has told it not to.
            if byte == UInt8(ascii: "/"), certain.last == byte { return nil }
            certain.append((65...90).contains(byte) ? byte | 0x20 : byte)
        }
        isWhole = certain.count == bytes.count
        if isWhole, certain.last != UInt8(ascii: "/") { certain.append(UInt8(ascii: "/")) }
        self.certain = certain
    }

    /// The bytes at which programs disagree about the rest.
    private static let ends = Array("%;?#".utf8)

    /// Whether the wholly decoded path has none of these: what only some programs decode is
    /// in it as well.
    private static func isHarmless(_ path: [UInt8]) -> Bool {
        var path = path
        for _ in 0..<maximumLayers {
            let decoded = PercentEncoding.decodingWhereValid(path)
            if decoded == path { break }
            path = decoded
        }
        guard !path.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }),
            PercentEncoding.decodingWhereValid(path) == path,
            String(validating: path, as: UTF8.self) != nil
        else { return false }
        let segments = path.split { "/;?#".utf8.contains($0) }
        return !segments.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }
}
