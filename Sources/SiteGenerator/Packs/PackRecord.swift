import Diagnostics
import OpenSSL
import POSIX

/// What an activated release keeps of its pack.
///
///     pack 1795348800 <digest of the files>
struct PackRecord: Equatable, Sendable {
    let made: Int
    let contents: [UInt8]

    init(_ pack: Pack) {
        made = pack.made
        contents = pack.contents
    }

    var text: String { "pack \(made) \(Digest.hexadecimal(contents))\n" }

    /// - Returns: `nil` for a release that was built on this machine.
    init?(of release: String) throws {
        do {
            let bytes = try OpenFolder(release).read(Pack.recordPath, maximumBytes: 1000)
            let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            guard words.count == 3, words[0] == "pack", let made = Pack.number(words[1]),
                words[2].hasSuffix("\n"), let contents = Pack.digest(words[2].dropLast())
            else { throw CommandError("'\(release)/\(Pack.recordPath)' is damaged") }
            self.made = made
            self.contents = contents
        } catch let error as SystemError where error.isMissingFile {
            return nil
        }
    }
}
