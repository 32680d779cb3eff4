import Markdown

/// What a tool may draw: MathML or SVG of a few elements and attributes.
///
/// The tools are not trusted, and neither are the authors whose sources they draw. Nothing here runs,
/// loads, links or styles, and every element ends: the drawing cannot reach beyond its place.
enum DrawnMarkup {
    static let maximumBytes = 1 << 20
    /// Browsers limit the depth themselves, and then put elements elsewhere.
    private static let maximumDepth = 200

    /// Whether the markup is one `<math>` or one `<svg>` that is allowed.
    static func isSafe(_ markup: ArraySlice<UInt8>, _ language: DrawnLanguage) -> Bool {
        guard markup.count <= maximumBytes, (try? UTF8Span(validating: markup.span)) != nil else {
            return false
        }
        let root = language == .math ? "math" : "svg"
        let elements = language == .math ? mathElements : svgElements
        let attributes = language == .math ? mathAttributes : svgAttributes
        var open: [String] = []
        var position = markup.startIndex
        while position < markup.endIndex {
            if markup[position] != UInt8(ascii: "<") {
                guard !open.isEmpty, let end = endOfText(markup, position) else { return false }
                position = end
                continue
            }
            guard let close = markup[position...].firstIndex(of: UInt8(ascii: ">")) else {
                return false
            }
            let tag = String(decoding: markup[(position + 1)..<close], as: UTF8.self)
            position = close + 1
            if tag.hasPrefix("/") {
                guard open.popLast() == String(tag.dropFirst()) else { return false }
                if open.isEmpty { return position == markup.endIndex }
                continue
            }
            let name = String(tag.prefix { $0 != " " })
            // In a title, browsers read HTML, where another title holds no elements.
            guard elements.contains(name), (name == root) == open.isEmpty,
                open.last != "title", open.last != "desc", open.count < maximumDepth,
                areSafe(tag.dropFirst(name.count), attributes)
            else { return false }
            open.append(name)
        }
        return false
    }

    /// Text up to the next tag, in which `&` begins a reference.
    private static func endOfText(_ markup: ArraySlice<UInt8>, _ start: Int) -> Int? {
        var position = start
        while position < markup.endIndex, markup[position] != UInt8(ascii: "<") {
            let byte = markup[position]
            if byte == UInt8(ascii: ">") || byte == 0 { return nil }
            if byte == UInt8(ascii: "&") {
                guard let name = references.first(where: { markup[position...].starts(with: $0) })
                else { return nil }
                position += name.count
            } else {
                position += 1
            }
        }
        return position
    }

    /// Whether attributes are allowed: ` name="value" name="value"`.
    private static func areSafe(_ text: Substring, _ allowed: Set<String>) -> Bool {
        var rest = text
        var names: Set<Substring> = []
        while let first = rest.first {
            guard first == " ", let equals = rest.firstIndex(of: "=") else { return false }
            let name = rest[rest.index(after: rest.startIndex)..<equals]
            rest = rest[equals...].dropFirst()
            guard allowed.contains(String(name)), names.insert(name).inserted,
                rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\""),
                isSafe(value: rest[rest.startIndex..<end].dropFirst(), of: name)
            else { return false }
            rest = rest[end...].dropFirst()
        }
        return true
    }

    private static func isSafe(value: Substring, of name: Substring) -> Bool {
        if value.hasPrefix("url(") {
            let id = value.dropFirst("url(#".count).dropLast()
            return value.hasPrefix("url(#") && value.hasSuffix(")") && isID(id)
        }
        if name == "id" { return isID(value) }
        if name == "fill" || name == "stroke" || name == "stop-color", isTheme(colour: value) {
            return true
        }
        let isTransform = name == "transform"
        return value.utf8.allSatisfy { byte in
            isLetterOrDigit(byte) || " .,#%+-".utf8.contains(byte)
                || isTransform && "()".utf8.contains(byte)
        }
    }

    /// Whether a colour is one of the theme, `var(--edge)`, or has one for the dark,
    /// `light-dark(#ffffff,#14161c)`.
    private static func isTheme(colour: Substring) -> Bool {
        if colour.hasPrefix("var(--"), colour.hasSuffix(")") {
            return colour.dropFirst(6).dropLast().utf8.allSatisfy { (97...122).contains($0) }
        }
        let colours = colour.dropFirst("light-dark(".count).dropLast().utf8
        return colour.hasPrefix("light-dark(") && colour.hasSuffix(")")
            && colours.allSatisfy { isLetterOrDigit($0) || "#,".utf8.contains($0) }
    }

    /// The ids of drawings have this form, which no id of a heading or of the theme has.
    private static func isID(_ id: Substring) -> Bool {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].count == 9 && parts[0].first == "d"
            && parts[0].dropFirst().utf8.allSatisfy { isDigit($0) || (97...102).contains($0) }
            && !parts[1].isEmpty && parts[1].utf8.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }

    private static let references = ["&lt;", "&gt;", "&amp;", "&quot;", "&#x27;", "&nbsp;"]
        .map { Array($0.utf8) }

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(separator: " ").map(String.init))
    }

    private static let mathElements = words(
        "math mrow mi mn mo mtext mspace msup msub msubsup mover munder munderover mfrac msqrt mroot"
            + " mtable mtr mtd mstyle mpadded mphantom mmultiscripts mprescripts"
    )
    private static let mathAttributes = words(
        "class display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize accent"
            + " accentunder fence separator stretchy symmetric largeop movablelimits form lspace"
            + " rspace minsize maxsize width height depth voffset linethickness linebreak"
    )
    private static let svgElements = words(
        "svg g defs path polygon polyline line rect circle ellipse text tspan title desc"
            + " linearGradient radialGradient stop marker"
    )
    private static let svgAttributes = words(
        "class id viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy points d transform"
            + " offset opacity fill fill-opacity stroke stroke-opacity stroke-width"
            + " stroke-dasharray stroke-linejoin stroke-linecap stop-color stop-opacity font-size"
            + " font-weight font-style font-family text-anchor text-decoration textLength"
            + " lengthAdjust gradientUnits dominant-baseline marker-start marker-mid marker-end"
            + " markerUnits markerWidth markerHeight refX refY orient"
    )
}
