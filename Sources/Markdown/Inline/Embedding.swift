/// How a page shows a file or an address that is no text: a picture, a film or a sound of the site
/// itself, or a link in the place of a frame.
///
/// Nothing of another site is loaded, apart from pictures, of which there is a finding.
enum Embedding {
    case picture
    /// An element of HTML that plays the file.
    case player(StaticString)
    /// - Parameter name: what the link says if the author says nothing.
    case link(name: String, isWritten: Bool)

    /// - Parameter isFrame: whether the author wrote a frame, not a picture.
    init(_ destination: String, isFrame: Bool) {
        let player = Self.player(destination[...])
        let behind = destination.split(separator: "/", omittingEmptySubsequences: false)
        let hasHost = behind.count > 2 && behind[1].isEmpty
        let isFilm = hasHost && Self.filmHosts.contains(behind[2].lowercased())
        guard isFrame || player != nil || isFilm else {
            self = .picture
            return
        }
        if let player, !Self.isForeign(destination) {
            self = .player(player)
        } else {
            var name = (hasHost ? behind[2] : behind.last) ?? ""
            if hasHost, name.hasPrefix("www.") { name.removeFirst(4) }
            self = .link(name: String(name), isWritten: false)
        }
    }

    /// Hosts whose addresses are pages with a film, never pictures.
    private static let filmHosts: Set<String> = [
        "youtube.com", "www.youtube.com", "m.youtube.com", "www.youtube-nocookie.com", "youtu.be",
        "vimeo.com", "www.vimeo.com", "player.vimeo.com",
    ]

    /// The element for a file, by the ending of its name.
    static func player(_ destination: Substring) -> StaticString? {
        let path = destination.prefix { $0 != "?" && $0 != "#" }
        guard let dot = path.lastIndex(of: ".") else { return nil }
        switch path[dot...].lowercased() {
        case ".mp4", ".m4v", ".webm", ".ogv", ".mov": return "video"
        case ".mp3", ".m4a", ".aac", ".ogg", ".oga", ".opus", ".wav", ".flac": return "audio"
        default: return nil
        }
    }

    /// Whether an address has a scheme or a host, as browsers read it.
    private static func isForeign(_ destination: String) -> Bool {
        var bytes = destination.utf8.filter { $0 > 0x20 && $0 != 0x7F }[...]
        // The name of a file of the site.
        if bytes.starts(with: "doc:".utf8) { bytes = bytes.dropFirst(4) }
        if bytes.prefix(2).count(where: { "/\\".utf8.contains($0) }) == 2 { return true }
        return bytes.first { ":/?#".utf8.contains($0) } == UInt8(ascii: ":")
    }
}
