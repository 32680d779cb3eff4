import OpenSSL
import POSIX

/// A file of the cache: damaged or cut short, it is as good as missing.
enum ChecksummedFile {
    /// What was written, or `nil`.
    static func read(_ path: String) -> ArraySlice<UInt8>? {
        guard let bytes = try? File.read(path), bytes.count >= 32,
            bytes[..<32].elementsEqual(Digest.sha256(bytes[32...]))
        else { return nil }
        return bytes[32...]
    }

    /// Writes beside and renames: two builds at once leave the one or the other.
    ///
    /// That a cache is not written is nobody's trouble.
    static func write(_ bytes: consuming [UInt8], to path: String) {
        let digest = Digest.sha256(bytes)
        bytes.insert(contentsOf: digest, at: 0)
        let beside = "\(path).\(Host.processID)"
        do {
            try File.write(bytes, to: beside, mode: 0o600)
            try File.rename(beside, to: path)
        } catch {
            try? File.remove(beside)
        }
    }
}
