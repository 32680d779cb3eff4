import Diagnostics

/// The places of keys in a TOML text.
///
/// TOMLKit tells where a text is no TOML, but not where a value stood. This reads only line
/// beginnings: a key inside an inline table or of a value that spans lines is found at the line
/// of the key it belongs to. It never decides what a value *is*.
struct TOMLPlaces {
    private var places: [String: Place] = [:]
    private let path: String

    init(of text: String, path: String, linesAbove: Int = 0) {
        self.path = path
        var prefix = ""
        var counts: [String: Int] = [:]
        for (index, line) in text.utf8.split(separator: 10, omittingEmptySubsequences: false)
            .enumerated()
        {
            let indent = line.prefix { $0 == 32 || $0 == 9 }.count
            let content = Substring(line.dropFirst(indent))
            let place = Place(path, line: linesAbove + index + 1, column: indent + 1)
            if content.hasPrefix("[[") {
                let header = Self.key(content.dropFirst(2).prefix { $0 != "]" })
                let name = Self.resolved(header, counts)
                let count = counts[name, default: 0]
                counts[name] = count + 1
                prefix = "\(name)[\(count)]."
                places[String(prefix.dropLast())] = place
                if count == 0 { places[name] = place }
            } else if content.hasPrefix("[") {
                let header = Self.key(content.dropFirst().prefix { $0 != "]" })
                prefix = Self.resolved(header, counts) + "."
                places[String(prefix.dropLast())] = place
            } else if let equals = content.firstIndex(of: "="), !content.hasPrefix("#") {
                let key = prefix + Self.key(content[..<equals])
                if places[key] == nil { places[key] = place }
            }
        }
    }

    /// The place of a dotted key, or of the nearest table above it that has one.
    subscript(key: String) -> Place {
        var key = Substring(key)
        while true {
            if let place = places[String(key)] { return place }
            guard let dot = key.lastIndex(of: ".") else { return Place(path) }
            key = key[..<dot]
        }
    }

    /// The name of a table with the places of those above it that stand in a list.
    ///
    /// `[[tenant.user]]` belongs to the last `[[tenant]]` (TOML 1.0, "Array of Tables").
    private static func resolved(_ header: String, _ counts: [String: Int]) -> String {
        let parts = header.split(separator: ".")
        return parts.dropLast().reduce(into: "") { name, part in
            name += part
            if let count = counts[name] { name += "[\(count - 1)]" }
            name += "."
        } + (parts.last ?? "")
    }

    /// A key without the spaces and quotes around its parts.
    private static func key(_ text: Substring) -> String {
        String(text.filter { !" \t\"'".contains($0) })
    }
}
