/// A heading at the beginning of a text, which is then the page's title.
package enum OpeningHeading {
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
}
