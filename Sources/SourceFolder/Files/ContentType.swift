/// The content type of a file by its name, as nginx sends it: the table is `nginx/types.conf`.
package enum ContentType {
    package static let html = "text/html; charset=utf-8"
    package static let json = "application/json"
    /// Server-sent events (HTML, section 9.2).
    package static let events = "text/event-stream"

    /// nginx's `default_type`, which a browser downloads instead of showing.
    package static let unknown = "application/octet-stream"

    package static func of(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        // Of '.css', nginx takes no ending.
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    /// The types by the endings of names.
    static let types = table(String(decoding: PackageResources.types_conf, as: UTF8.self))

    /// Reads directives such as `charset_types text/css text/csv;`, and `text/css css;` between the
    /// braces of `types`.
    private static func table(_ text: String) -> [String: String] {
        var types: [String: String] = [:]
        // nginx always counts HTML as text.
        var withCharset: Set<Substring> = ["text/html"]
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let directives = lines.joined(separator: " ").split { ";{}".contains($0) }
        for directive in directives {
            let words = directive.split(separator: " ")
            guard let first = words.first else { continue }
            if first == "charset_types" { withCharset.formUnion(words.dropFirst()) }
            guard first.contains("/") else { continue }
            let type = withCharset.contains(first) ? "\(first); charset=utf-8" : String(first)
            for ending in words.dropFirst() { types[String(ending)] = type }
        }
        return types
    }
}
