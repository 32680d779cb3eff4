import OpenSSL
import POSIX

/// A cache file with a checksum: a damaged file counts as missing.
enum ChecksummedFile {
    /// The content, or `nil` if the file is missing or damaged.
    static func read(_ path: String) -> ArraySlice<UInt8>? {
        guard let bytes = try? File.read(path), bytes.count >= 32,
            bytes[..<32].elementsEqual(Digest.sha256(bytes[32...]))
        else { return nil }
        return bytes[32...]
    }

    /// Writes a temporary file and renames it, so that two builds at once leave one complete file.
    ///
    /// Errors are ignored: a missing cache only costs time.
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
