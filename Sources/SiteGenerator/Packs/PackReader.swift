import Deflate
import Diagnostics
import OpenSSL
import POSIX

/// Reads a pack that may be damaged or hostile: its header at once, then the contents one after the
/// other.
///
/// Memory and time are bounded by what the header declares, and the header by its limits.
struct PackReader {
    let pack: Pack
    private let file: ScratchFile
    private let size: Int
    private var blocks: Blocks

    /// - Parameter key: if there is one, nothing of a pack is decompressed that was not signed with
    ///   its private half.
    init(_ file: ScratchFile, trusting key: Ed25519PublicKey?) throws {
        self.file = file
        size = try file.size()
        guard size <= Pack.maximumBytes else {
            throw CommandError("the pack has \(size) bytes; it may have 8 GiB")
        }
        let start = try PackStart(of: file)
        try start.verify(key)
        var blocks = Blocks(position: start.size, remaining: start.headerBytes)
        let header = try blocks.read(start.headerBytes, file)
        guard Digest.sha256(header) == start.headerDigest else {
            throw CommandError("the pack is damaged")
        }
        pack = try Pack(header: header)
        self.blocks = Blocks(position: blocks.position, remaining: pack.newBytes)
    }

    /// The content of the next new file.
    mutating func read(_ entry: Pack.Entry) throws -> [UInt8] {
        try blocks.read(entry.size, file)
    }

    /// - Throws: unless the pack, from here to its end, has the files that its header lists.
    func verifyContents() throws {
        var rest = self
        for entry in pack.entries where entry.isNew {
            guard try Digest.sha256(rest.read(entry)) == entry.digest else {
                throw CommandError("the pack is damaged")
            }
        }
        try rest.end()
    }

    /// - Throws: if anything follows the last file.
    func end() throws(CommandError) {
        guard blocks.isAtEnd, blocks.position == size else {
            throw CommandError("the pack goes on after its last file")
        }
    }
}

/// Data in blocks, each of which has a size that is known before it is read.
private struct Blocks {
    /// The position of the next block in the file.
    private(set) var position: Int
    /// The bytes of the data that are not yet decompressed.
    private var remaining: Int
    private var block: [UInt8] = []
    private var used = 0

    init(position: Int, remaining: Int) {
        self.position = position
        self.remaining = remaining
    }

    var isAtEnd: Bool { remaining == 0 && used == block.count }

    mutating func read(_ count: Int, _ file: ScratchFile) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if used == block.count { try next(file) }
            let end = min(used + count - bytes.count, block.count)
            bytes += block[used..<end]
            used = end
        }
        return bytes
    }

    private mutating func next(_ file: ScratchFile) throws {
        let size = min(Pack.blockBytes, remaining)
        let head = try file.read(position..<position + 4)
        guard size > 0, head.count == 4 else { throw CommandError("the pack is cut off") }
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        // What cannot be compressed becomes a little larger.
        guard count > 0, count <= 2 * Pack.blockBytes else {
            throw CommandError("the pack is damaged")
        }
        let data = try file.read(position + 4..<position + 4 + count)
        guard data.count == count else { throw CommandError("the pack is cut off") }
        guard let bytes = Deflate.decompress(data, size: size) else {
            throw CommandError("the pack is damaged")
        }
        position += 4 + count
        remaining -= size
        (block, used) = (bytes, 0)
    }
}
