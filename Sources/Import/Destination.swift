import Diagnostics
import OpenSSL
import POSIX

/// The folder of the new site, and the record of what an import wrote into it.
///
/// A file that somebody has changed, removed or made since is left as it is.
struct Destination {
    static let recordName = ".sitegen-import"
    private static let firstLine = "sitegen-import 1"

    private struct Entry {
        let digest: String
        /// The value of `access` that the page was written with; `-` for none.
        let access: String
        /// Of the page in the other system; empty for what is no part of one.
        var id = ""
    }

    private let folder: String
    private var record: [String: Entry] = [:]
    private var written: [String: Entry] = [:]
    private(set) var kept: [String] = []

    init(_ folder: String) throws(CommandError) {
        self.folder = folder
        do {
            try Folder.create(folder)
            let names = try Folder.names(in: folder)
            guard names.contains(Self.recordName) else {
                if names.allSatisfy({ $0 == ".git" }) { return }
                throw CommandError(
                    "'\(folder)' is not empty, and no import made it; name a new folder"
                )
            }
            let bytes = try OpenFolder(folder).read(Self.recordName)
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            guard lines.first == Self.firstLine[...] else {
                throw CommandError(
                    "'\(folder)/\(Self.recordName)' does not begin with '\(Self.firstLine)'; another"
                        + " version of sitegen wrote it"
                )
            }
            for line in lines.dropFirst() {
                let parts = line.split(separator: "\t", maxSplits: 2).map(String.init)
                guard parts.count == 3 else { continue }
                let words = parts[1].split(separator: " ").map(String.init)
                record[parts[2]] = Entry(
                    digest: parts[0],
                    access: words.first ?? "-",
                    id: words.dropFirst().first ?? ""
                )
            }
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(error)", isDisk: true)
        }
    }

    /// Files that people have changed and whose readers would be others now.
    ///
    /// - Parameters:
    ///   - access: of each page that will be written.
    ///   - restricted: the files of restricted pages, by id. A copy that stays elsewhere may be open.
    func conflicts(
        _ access: [(path: String, group: String?)],
        restricted: [String: Set<String>]
    ) -> [String] {
        let left = record.keys.sorted().filter { path in
            guard let id = record[path]?.id, let files = restricted[id] else { return false }
            return !files.contains(path) && exists(path) && !isOurs(path)
        }
        return access.compactMap { path, group in
            // A page that is open now may stay closed.
            guard let group, let entry = record[path], entry.access != group, exists(path),
                !isOurs(path)
            else { return nil }
            return left.contains(path) ? nil : path
        } + left
    }

    mutating func write(
        _ bytes: [UInt8],
        to path: String,
        access: String? = nil,
        id: String = ""
    ) throws(CommandError) {
        let entry = Entry(
            digest: Digest.hexadecimal(Digest.sha256(bytes)),
            access: access ?? "-",
            id: id
        )
        let isThere = exists(path)
        if record[path] != nil || isThere, !isOurs(path) {
            kept.append(path + (isThere ? "" : " (removed)"))
            // As before, so that the next run does not take it for a file of its own.
            written[path] = record[path] ?? Entry(digest: "-", access: entry.access)
            return
        }
        written[path] = entry
        do {
            try createFolders(of: path)
            let target = "\(folder)/\(path)"
            if isThere { try File.remove(target) }
            try File.create(bytes, at: target)
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(error)", isDisk: true)
        }
    }

    /// Removes what the last import wrote and this one does not, and writes the record.
    mutating func finish() throws(CommandError) {
        do throws(SystemError) {
            for path in record.keys.sorted() where written[path] == nil {
                if !exists(path) { continue }
                if isOurs(path) {
                    try File.remove("\(folder)/\(path)")
                } else {
                    kept.append("\(path) (no longer in the export)")
                    written[path] = record[path]
                }
            }
            let lines = written.keys.sorted().compactMap { path in
                written[path].map { entry in
                    let id = entry.id.isEmpty ? "" : " " + entry.id
                    return "\(entry.digest)\t\(entry.access)\(id)\t\(path)"
                }
            }
            let text = ([Self.firstLine] + lines).joined(separator: "\n") + "\n"
            let file = "\(folder)/\(Self.recordName)"
            if exists(Self.recordName) { try File.remove(file) }
            try File.create(Array(text.utf8), at: file)
        } catch {
            throw CommandError("\(error)", isDisk: true)
        }
    }

    private func exists(_ path: String) -> Bool {
        (try? FileStatus(of: "\(folder)/\(path)", followingLinks: false)) != nil
    }

    /// Whether a file is as an import wrote it.
    private func isOurs(_ path: String) -> Bool {
        guard let entry = record[path], let bytes = try? OpenFolder(folder).read(path) else {
            return false
        }
        return Digest.hexadecimal(Digest.sha256(bytes)) == entry.digest
    }

    private func createFolders(of path: String) throws {
        var above = folder
        for name in path.split(separator: "/").dropLast() {
            above += "/\(name)"
            let status = try? FileStatus(of: above, followingLinks: false)
            if let status, status.kind != .folder {
                throw CommandError(
                    "'\(above)' is not a folder; files are written into folders only"
                )
            }
            try Folder.create(above)
        }
    }
}
