import OpenSSL
import POSIX

/// What the files of the last release were made of: a page that would be made of the same is not
/// made again.
///
/// An entry names the very file that was written, by inode, size and time. A list that is older
/// than the release, or a release that somebody changed by hand, leads to nothing but work.
///
/// After a power loss a file that was never synced may have its inode, size and time, and zeros for
/// its content. So the list says whether the release was synced, or else during which run of the
/// machine it was written, and is worth nothing in another one.
struct OutputCache: Sendable {
    struct Kept: Sendable {
        let path: String
        /// Where the page's text stands in it.
        let text: Range<Int>
    }

    private var entries: [String: String] = [:]
    /// The release whose files they are.
    let release: String?

    init() { release = nil }

    /// - Parameters:
    ///   - path: of the list.
    ///   - output: the folder of the releases.
    init(at path: String, output: String) {
        release = SymbolicLink.destination(of: "\(output)/current").map { "\(output)/\($0)" }
        guard release != nil, let bytes = ChecksummedFile.read(path) else { return }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let first = lines.first, first == Self.synced || first == Self.unsynced(),
            first != Self.nowhere
        else { return }
        for line in lines.dropFirst() {
            // Paths have no control characters.
            let parts = line.split(separator: "\t", maxSplits: 1)
            if parts.count == 2 { entries[String(parts[0])] = String(parts[1]) }
        }
    }

    /// The file of the last release that was made of the same, if it is still there.
    func file(_ path: String, madeOf key: String) -> Kept? {
        guard let release, let entry = entries[path],
            let status = try? FileStatus(of: "\(release)/\(path)")
        else { return nil }
        let parts = entry.split(separator: "\t")
        guard parts.count == 3, parts[0] == Self.entry(key, status), let start = Int(parts[1]),
            let end = Int(parts[2]), 0 <= start, start <= end
        else { return nil }
        return Kept(path: "\(release)/\(path)", text: start..<end)
    }

    private static let synced = "synced"
    private static let nowhere = "run "

    /// Of this run of the machine.
    private static func unsynced() -> String { nowhere + (Host.bootID ?? "") }

    static func write(
        _ files: [Publication.File],
        of release: String,
        isSynced: Bool,
        to path: String
    ) async {
        let lines = await files.filter { $0.key != nil }.concurrentMap { file -> String in
            guard let key = file.key, let status = try? FileStatus(of: "\(release)/\(file.path)")
            else { return "" }
            let text = file.text ?? 0..<0
            return
                "\(file.path)\t\(Self.entry(key, status))\t\(text.lowerBound)\t\(text.upperBound)\n"
        }
        let first = isSynced ? synced : unsynced()
        ChecksummedFile.write(Array("\(first)\n\(lines.joined())".utf8), to: path)
    }

    private static func entry(_ key: String, _ status: FileStatus) -> String {
        let time = "\(status.modifiedSeconds).\(status.modifiedNanoseconds)"
        return "\(key) \(status.device) \(status.inode) \(status.size) \(time)"
    }
}
