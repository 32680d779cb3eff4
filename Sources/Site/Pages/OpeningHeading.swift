import SourceFolder

/// Detects a heading at the beginning of a text, which is then the page's title.
package enum OpeningHeading {
    private static let space = UInt8(ascii: " ")

    /// - Parameter markdown: without front matter. White space and HTML comments are skipped.
    package static func stands(in markdown: [UInt8]) -> Bool {
        let rest = markdown[FrontMatterStart(in: markdown).offset...]
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        let marks = line.prefix { $0 == UInt8(ascii: "#") }.count
        if marks > 0 {
            let next = line.dropFirst(marks).first
            return marks <= 6 && next.map(isBlank) ?? true
        }
        // A line with dashes or equals signs below it, unless it begins another kind of block.
        guard let first = line.first, !"-+*>|`~<".utf8.contains(first) else { return false }
        let below = rest.dropFirst(line.count + 1).prefix { $0 != UInt8(ascii: "\n") }
            .filter { !isBlank($0) }
        return below.first.map { mark in
            "-=".utf8.contains(mark) && below.allSatisfy { $0 == mark }
        } ?? false
    }

    /// Changes the first heading to level 1: in books whose pages begin with `## Functions` the
    /// title would otherwise appear twice.
    ///
    /// - Parameter level: the level of the heading in the HTML.
    package static func promote(_ html: inout [UInt8], from level: Int) {
        let one = UInt8(ascii: "1")
        let start = Array("<h\(level)".utf8)
        let end = Array("</h\(level)>".utf8)
        guard let first = html.indices.first(where: { html[$0...].starts(with: start) }),
            let last = html[first...].indices.first(where: { html[$0...].starts(with: end) })
        else { return }
        html[first + 2] = one
        html[last + 3] = one
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        [space, UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(byte)
    }
}
