import Bytes

/// A place in a line while the marks of containers are taken off it, in columns as tabs make them
/// (CommonMark 0.30, section 2.2).
struct LineCursor {
    let end: Int
    private(set) var offset: Int
    private(set) var column = 0
    /// Columns of a tab that are not used up.
    private(set) var columnsOfTabLeft = 0

    /// - Parameter line: in bytes of the document.
    init(_ line: Range<Int>) {
        offset = line.lowerBound
        end = line.upperBound
    }

    /// The first byte that is no space or tab, and how many columns away it is.
    func firstNonspace(_ bytes: [UInt8]) -> (offset: Int, indent: Int) {
        var position = offset
        var reached = column
        var left = columnsOfTabLeft
        while position < end {
            if bytes[position] == .space {
                reached += 1
            } else if bytes[position] == .tab {
                reached += left > 0 ? left : 4 - reached % 4
                left = 0
            } else {
                break
            }
            position += 1
        }
        return (position, reached - column)
    }

    mutating func advance(columns: Int, _ bytes: [UInt8]) {
        var count = columns
        while count > 0, offset < end {
            guard bytes[offset] == .tab else {
                offset += 1
                column += 1
                count -= 1
                continue
            }
            let width = columnsOfTabLeft > 0 ? columnsOfTabLeft : 4 - column % 4
            if width > count {
                columnsOfTabLeft = width - count
                column += count
                return
            }
            columnsOfTabLeft = 0
            column += width
            count -= width
            offset += 1
        }
    }

    mutating func advance(to position: Int, _ bytes: [UInt8]) {
        while offset < position { advance(columns: 1, bytes) }
    }
}
