import HTML
import SourceFolder

/// The meaning of a link's destination, relative to the page that contains it.
enum LinkTarget: Sendable {
    struct Inside: Sendable {
        /// As the author wrote it.
        let written: String
        /// The path as written, decoded.
        let relative: String
        /// The path in the source folder; empty for the page itself, `nil` outside of the folder.
        let path: String?
        /// Decoded, without `#`.
        let anchor: String?
        /// Query and fragment as written.
        let suffix: String
        /// Whether this is the source of an image.
        var isImage = false
        /// The path that the link means to another tool, as it stands in an included text.
        var otherPath: String?

        /// Whether this is the path of a file that does not say that it is relative.
        var isFile: Bool { !isAddress && !["/", "."].contains(relative.prefix(1)) }

        /// The paths that the link may mean, in the order in which tools read it: relative to the
        /// file or to the page's address, and below the address of the whole site.
        func paths(from page: Page, _ configuration: SiteConfiguration) -> [String] {
            let own = [path, otherPath].compactMap(\.self)
            if relative.utf8.first == UInt8(ascii: "/") {
                for root in configuration.linkRoots where "\(relative)/".hasPrefix(root) {
                    let rest = String(relative.dropFirst(root.utf8.count))
                    if rest.isEmpty { return ["/"] + own }
                    return (SitePathName.join(rest, to: "").map { [$0] } ?? []) + own
                }
                return own
            }
            // Nobody links to the page itself with './'.
            guard isAddress, let address = path(relativeTo: page), address != path,
                relative != ".", relative != "./"
            else { return own }
            // No file's name ends with a slash.
            let order = configuration.relativeLinks ?? (relative.hasSuffix("/") ? .address : .file)
            return order == .address ? [address] + own : own + [address]
        }

        /// The path relative to the page's address, as browsers read it.
        func path(relativeTo page: Page) -> String? {
            if relative.isEmpty || relative.hasPrefix("/") { return nil }
            return SitePathName.join(relative, to: "\(page.url.dropFirst())_")
        }

        /// Whether the last part has no ending, as the address of a page.
        private var isAddress: Bool {
            let bytes = relative.utf8
            let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
            let name = bytes[(slash.map(bytes.index(after:)) ?? bytes.startIndex)...]
            let dot = UInt8(ascii: ".")
            return !bytes.isEmpty && (!name.contains(dot) || name.allSatisfy { $0 == dot })
        }
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
    /// A path in a program, such as `std::fmt`, which other tools resolve to documentation.
    case programPath

    /// - Parameter file: the path of the page's file in the source folder.
    init(_ destination: String, in file: String) {
        if destination.isEmpty {
            self = .empty
            return
        }
        if destination.utf8.starts(with: "https://".utf8)
            || destination.utf8.starts(with: "http://".utf8)
        {
            self = .external(destination)
            return
        }
        // Without a colon there is no scheme.
        guard destination.utf8.contains(UInt8(ascii: ":")) else {
            self.init(path: destination, in: file)
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
        self.init(path: destination, in: file)
    }

    /// A destination without a scheme.
    private init(path destination: String, in file: String) {
        if destination.hasPrefix("//") {
            self = .external(destination)
            return
        }
        let (end, suffix, fragment) = Self.suffix(of: destination)
        let decodedAnchor = fragment.map { SitePathName.decode($0) ?? String($0) }
        guard let path = SitePathName.decode(destination[..<end]) else {
            self = .broken(
                "link to '\(destination)' has a '%' that encodes no character; write '%25' for a percent sign"
            )
            return
        }
        self = .inside(
            Inside(
                written: destination,
                relative: path,
                path: SitePathName.join(path, to: file),
                anchor: decodedAnchor,
                suffix: suffix
            )
        )
    }

    /// Where query and fragment begin, both as written, and the fragment without `#`.
    private static func suffix(of text: String) -> (String.Index, String, Substring?) {
        if isASCII(text) {
            let bytes = text.utf8
            let end = bytes.firstIndex { $0 == 0x23 || $0 == 0x3F } ?? text.endIndex
            let hash = bytes[end...].firstIndex(of: 0x23)
            return (end, String(text[end...]), hash.map { anchor(text[bytes.index(after: $0)...]) })
        }
        // A mark with a combining character is another character.
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        let hash = text[end...].firstIndex(of: "#")
        return (end, String(text[end...]), hash.map { anchor(text[text.index(after: $0)...]) })
    }

    /// A fragment without its directive, `:~:text=…`, which browsers copy with a marked text and do
    /// not show to the page (URL Fragment Text Directives, section 3.3).
    private static func anchor(_ fragment: Substring) -> Substring {
        guard let directive = fragment.firstRange(of: ":~:") else { return fragment }
        return fragment[..<directive.lowerBound]
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

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
}
