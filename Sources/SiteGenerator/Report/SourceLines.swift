import Diagnostics

/// The lines that diagnostics are about.
///
/// Diagnostics come sorted, so only the last file is kept.
struct SourceLines {
    private let read: @Sendable (_ path: String) -> [UInt8]?
    private var path: String?
    private var lines: [ArraySlice<UInt8>] = []

    init(reading read: @escaping @Sendable (_ path: String) -> [UInt8]?) { self.read = read }

    /// The line of a place, without its end; `nil` where a file as a whole is meant.
    mutating func line(of place: Place) -> [UInt8]? {
        if place.isWholeFile { return nil }
        if path != place.path {
            path = place.path
            let bytes = read(place.path) ?? []
            let text = DecodedText(bytes)
            // A file that is no text is shown as far as it is one.
            lines = (text.mistake == nil ? text.utf8 : bytes)
                .split(separator: 10, omittingEmptySubsequences: false)
        }
        guard place.line <= lines.count else { return nil }
        let line = lines[place.line - 1]
        return Array(line.last == 13 ? line.dropLast() : line)
    }
}
