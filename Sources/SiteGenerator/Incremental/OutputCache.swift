import OpenSSL
import POSIX

/// The files of the previous release, with digests of their inputs.
///
/// A page with the same inputs is not rendered again.
///
/// An entry identifies its file by inode, size and modification time. If the list is older than the
/// release, or somebody changed the release by hand, the file is rendered again.
///
/// After a power loss a file that was never synced may have the same inode, size and time, but
/// zeros as content. So the list records whether the release was synced. If not, it records the
/// boot ID of the machine, and is not used after the next boot.
struct OutputCache: Sendable {
    struct Kept: Sendable {
        let path: String
        /// The range of the page's text in the file.
        let text: Range<Int>
    }

    private var entries: [String: String] = [:]
    /// The folder of the previous release.
    let release: String?

    init() { release = nil }

    /// - Parameters:
    ///   - path: of the list.
    ///   - output: the output folder.
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

    /// The file of the previous release with the same inputs, if it still exists.
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

    /// The first line of a list for a release that was not synced.
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
