import Diagnostics

/// Where the parts of a text come from that was put together from several files.
struct SourceMap: Sendable {
    /// A file, and the places by which it got into the text.
    struct Origin: Sendable {
        /// The path in the source folder.
        let path: String
        /// The path for diagnostics.
        let displayPath: String
        /// Whether links in it are relative to this file, and not to the page.
        var movesLinks = false
        /// The form that included it, and the one that included that file; empty for the page.
        var includedAt: [SourceLocation] = []
    }

    /// A text from one place in a file.
    struct Piece: Sendable {
        /// Where it begins in the whole text.
        let place: Place
        let origin: Int
        /// Where it begins in its file.
        let source: Place
        /// The bytes before each further line, which are not in the file.
        let indentation: Int
        /// Whether all of it comes from this one place, as the value of a variable.
        let isFixed: Bool
    }

    /// Line and column, from 1; the column in bytes.
    struct Place: Sendable, Comparable {
        var line: Int
        var column: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// The first one is the page.
    private var origins: [Origin] = []
    private var pieces: [Piece] = []

    /// - Returns: the index of the origin.
    mutating func add(_ origin: Origin) -> Int {
        origins.append(origin)
        return origins.count - 1
    }

    /// Adds the next piece; one that begins where the last one begins replaces it.
    mutating func add(_ piece: Piece) {
        if pieces.last?.place == piece.place { pieces.removeLast() }
        pieces.append(piece)
    }

    /// The file of a place in the whole text.
    func origin(of place: Place) -> Origin { origins[piece(at: place)?.origin ?? 0] }

    /// A place in one of the files.
    func location(_ place: Place, in origin: Int, length: Int?) -> SourceLocation {
        var location = SourceLocation(
            origins[origin].displayPath,
            line: place.line,
            column: place.column,
            length: length
        )
        location.includedAt = origins[origin].includedAt
        return location
    }

    /// The place in its file of a place in the whole text.
    func location(_ place: Place, length: Int?) -> SourceLocation {
        guard let piece = piece(at: place) else { return location(place, in: 0, length: length) }
        let isFirst = place.line == piece.place.line
        let column =
            piece.isFixed
            ? piece.source.column
            : isFirst
                ? piece.source.column + place.column - piece.place.column
                : place.column - piece.indentation
        let line = piece.source.line + (piece.isFixed ? 0 : place.line - piece.place.line)
        return location(
            Place(line: line, column: column),
            in: piece.origin,
            length: piece.isFixed ? nil : length
        )
    }

    /// The last piece that begins at the place or before it.
    private func piece(at place: Place) -> Piece? {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].place <= place { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? pieces[low - 1] : nil
    }
}
