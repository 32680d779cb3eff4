import OpenSSL

/// A release in one file, on its way from the machine that built it to the one that serves it.
///
///     site-pack 1
///     header 1532 <SHA-256 of the header>
///     signature <Ed25519 signature of the two lines above, or none>
///     <the header in blocks>
///     <the contents of the new files in blocks, one after the other as the header lists them>
///
/// The header is a text:
///
///     site https%3A//docs.example.com
///     made 1795348800
///     base 41
///     old - 812 <SHA-256> access
///     new z 5120 <SHA-256> site/index.html
///     end 2
///
/// It lists every file of the release: whether its content is in the pack or in the release `base`
/// of the receiver, whether the receiver makes a compressed copy (`z`), its size and digest. A block
/// has four bytes for the length of its data, and the data: DEFLATE of a megabyte, or of what is
/// left.
///
/// The format has names and bytes of files, and no links, owners or modes. Sizes are known before
/// anything is decompressed. A format that is read on the machine that enforces who may read what
/// should not be able to say more.
struct Pack: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The path in the release.
        let path: String
        let size: Int
        /// SHA-256 of the content.
        let digest: [UInt8]
        /// Whether the content is in the pack.
        var isNew = true
        /// Whether the release has a compressed copy beside it.
        var isCompressed = false
    }

    /// Names the site, so that a pack cannot be activated for another one.
    let site: String
    /// When the release was built, in seconds since 1970.
    let made: Int
    /// The receiver's release with the files that are not new.
    let base: Int?
    /// Sorted by the bytes of the paths.
    let entries: [Entry]

    static let firstLine = "site-pack 1"
    static let blockBytes = 1 << 20
    static let maximumHeaderBytes = 64 << 20
    static let maximumFileBytes = 1 << 30
    /// The greatest size of a pack, and of the files in it.
    static let maximumBytes = 8 << 30
    /// The greatest number of files, and of folders: five times as many as the largest site that was
    /// tried has.
    static let maximumFiles = 500_000

    /// The file in an activated release that says which pack it was made from.
    static let recordPath = "pack"

    /// A digest of all files; two packs of one release have the same one.
    var contents: [UInt8] {
        var text: [UInt8] = []
        for entry in entries { text += "\(entry.words)\n".utf8 }
        return Digest.sha256(text)
    }

    /// The size of the contents in the pack.
    var newBytes: Int { entries.reduce(0) { $0 + ($1.isNew ? $1.size : 0) } }
}

extension Pack.Entry {
    /// The entry without the word that says where its content is.
    var words: String {
        let mark = isCompressed ? "z" : "-"
        return "\(mark) \(size) \(Digest.hexadecimal(digest)) \(SitePathName.encode(path))"
    }
}
