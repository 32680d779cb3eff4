import Markdown

/// The meaning of a link's destination, relative to the page that contains it.
enum LinkTarget: Sendable {
    struct Inside: Sendable {
        /// As the author wrote it.
        let written: String
        /// The path in the source folder, decoded; empty for the page itself.
        let path: String
        /// Decoded, without `#`.
        let anchor: String?
        /// Query and fragment as written.
        let suffix: String
        /// Whether this is the source of an image.
        var isImage = false
    }

    case inside(Inside)
    /// Another host, or a scheme such as `mailto:`.
    case external(String)
    /// A scheme that runs a program, with its name.
    case dangerous(String)
    /// A file of the reader's own machine or network, by a `file:` address.
    case localFile
    /// An unknown scheme, with its name.
    case unknownScheme(String)
    case empty
    case broken(String)
    /// A path outside the source folder.
    case outOfSource
    /// A path in a program, such as `std::fmt`, which other tools resolve to documentation.
    case programPath

    init(_ destination: String, from page: Page) {
        if destination.isEmpty {
            self = .empty
            return
        }
        if HTMLText.isDangerous(destination) {
            let scheme = destination.unicodeScalars.prefix { $0 != ":" }.filter { $0.value > 0x20 }
            let name = String(String.UnicodeScalarView(scheme)) + ":"
            self = name.lowercased() == "file:" ? .localFile : .dangerous(name)
            return
        }
        if Self.isProgramPath(destination) {
            self = .programPath
            return
        }
        if Self.hasScheme(destination) {
            let name = destination.prefix { $0 != ":" }.lowercased()
            let isKnown = URLScheme.isKnown(name)
            self = isKnown ? .external(destination) : .unknownScheme(name + ":")
            return
        }
        if destination.hasPrefix("//") {
            self = .external(destination)
            return
        }
        let end = destination.firstIndex { $0 == "?" || $0 == "#" } ?? destination.endIndex
        let suffix = String(destination[end...])
        let fragment = suffix.firstIndex(of: "#").map { suffix[suffix.index(after: $0)...] }
        let decodedAnchor = fragment.map { SitePathName.decode($0) ?? String($0) }
        guard let path = SitePathName.decode(destination[..<end]) else {
            self = .broken(
                "link to '\(destination)' has a '%' that encodes no character; write '%25' for a percent sign"
            )
            return
        }
        guard let path = Self.join(path, to: page.file.path) else {
            self = .outOfSource
            return
        }
        self = .inside(
            Inside(written: destination, path: path, anchor: decodedAnchor, suffix: suffix)
        )
    }

    private static func isProgramPath(_ text: String) -> Bool {
        text.contains("::")
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (97...122).contains(byte | 0x20)
                    || "_:<>@!()#".utf8.contains(byte)
            }
    }

    /// RFC 3986, section 3.1.
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), let first = text.utf8.first
        else { return false }
        let isLetter: (UInt8) -> Bool = { (97...122).contains($0 | 0x20) }
        return isLetter(first)
            && text.utf8[..<colon].allSatisfy { byte in
                isLetter(byte) || (48...57).contains(byte) || "+.-".utf8.contains(byte)
            }
    }

    /// Resolves `path` relative to the file `base`; `nil` if it is outside the source folder.
    private static func join(_ path: String, to base: String) -> String? {
        if path.isEmpty { return "" }
        var segments: [Substring] = path.hasPrefix("/") ? [] : base.split(separator: "/").dropLast()
        for segment in path.split(separator: "/") {
            if segment == ".." {
                if segments.popLast() == nil { return nil }
            } else if segment != "." {
                segments.append(segment)
            }
        }
        // The path is that of the source folder.
        return segments.isEmpty ? "/" : segments.joined(separator: "/")
    }
}
