import OpenSSL

/// What a machine tells about its current release, so that a pack can leave out what it has.
///
///     site-manifest 1
///     release 41
///     9c1185a5c5e9fc54
///     end 1
///
/// Each line is the start of a digest of a file's path and content. Whoever does not have the file
/// learns from it at most whether a guess of path and whole content is right, and cannot take the
/// file over into a pack: a pack has to name the whole digest of its content. Otherwise a thief of
/// the key for publishing could publish the pages of others for everybody, without knowing them.
struct ReleaseManifest: Equatable, Sendable {
    /// `nil` if the machine has no release yet.
    let release: Int?
    let tags: Set<String>

    private static let firstLine = "site-manifest 1"

    static func tag(of entry: Pack.Entry) -> String {
        Digest.hexadecimal(Digest.sha256(Array(entry.path.utf8) + [0] + entry.digest).prefix(8))
    }

    init(release: Int?, _ entries: [Pack.Entry]) {
        self.release = release
        tags = Set(entries.map(Self.tag))
    }

    var text: String {
        let lines = tags.sorted()
        let release = release.map { "\($0)" } ?? "none"
        return ([Self.firstLine, "release \(release)"] + lines + ["end \(lines.count)"])
            .joined(separator: "\n") + "\n"
    }

    /// - Returns: `nil` for a text that ``text`` would not have written, such as one that was cut
    ///   off.
    init?(text: [UInt8]) {
        guard let text = String(validating: text, as: UTF8.self) else { return nil }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popLast() == "", lines.popFirst() == Self.firstLine[...],
            let release = lines.popFirst(), release.hasPrefix("release "),
            let last = lines.popLast(), last == "end \(lines.count)",
            lines.allSatisfy({ Pack.bytes($0, count: 8) != nil })
        else { return nil }
        let number = Pack.number(release.dropFirst("release ".count))
        guard number ?? 0 > 0 || release == "release none" && lines.isEmpty else { return nil }
        self.release = number
        tags = Set(lines.map(String.init))
        guard lines.elementsEqual(tags.sorted(), by: ==) else { return nil }
    }
}
