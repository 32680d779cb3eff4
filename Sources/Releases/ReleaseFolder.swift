import POSIX

/// The releases on disk, and the symbolic link to the current one.
///
/// A build writes files into a new folder. Then one `rename(2)` of the link `current` publishes the
/// whole site, policy and pages together. Readers see the previous site or the new one, never a
/// mixture; a build that fails leaves the previous one in place.
///
///     public/current -> releases/8
///     public/releases/8/access        who may read what
///     public/releases/8/site/…        served to those who may
///     public/releases/8/theme/…       style sheets and scripts
///     public/releases/8/auth/…        the frame of siteauth's pages
///     public/releases/8/errors/…      nginx's error pages
///     public/theme/…                  those of all releases, served to everybody
///     public/releases/.9              a release that is being written
///     public/releases/.removed-3      a release that is being removed
///     public/releases/.unpublished    -> 9, while 9 is complete and not yet the current one
///
/// Other files in the folder are kept: `.gitkeep`, the `.nfs…` files of NFS.
package struct ReleaseFolder: Sendable {
    package let output: String

    package init(output: String) {
        self.output = output
    }

    package var path: String { "\(output)/releases" }

    /// The number of the current release.
    package var current: Int? {
        SymbolicLink.destination(of: "\(output)/current")
            .flatMap { $0.split(separator: "/").last }.flatMap { Self.number($0) }
    }

    /// Creates the output folder.
    ///
    /// If the output folder or the one above gives its group to new files, that group can read the
    /// releases, even if the build has the umask 077, as some machines give it to timers and to ssh.
    package func create() throws(SystemError) {
        let parent = output.lastIndex(of: "/").map { String(output[..<$0]) } ?? "."
        for folder in [parent.isEmpty ? "/" : parent, output] {
            if let status = try? FileStatus(of: folder) { Host.admitGroup(of: status) }
        }
        try Folder.create(output)
    }

    /// Whether another account than the owner's can read the current release.
    ///
    /// After a build with the umask 077 nobody else can. The same is true if the output folder is for
    /// a group, and the release belongs to another one.
    package var isForOthers: Bool {
        let current = "\(output)/current"
        guard let group = try? FileStatus(of: output).group,
            let file = try? FileStatus(of: "\(current)/access")
        else { return true }
        let folders = [output, path, current, "\(current)/site"]
        return file.admits(4, toGroup: group)
            && folders.compactMap { try? FileStatus(of: $0) }
                .allSatisfy { $0.admits(1, toGroup: group) }
    }

    package func release(_ number: Int) -> String { "\(path)/\(number)" }

    /// The folder of a release that is incomplete.
    package func partial(_ number: Int) -> String { "\(path)/.\(number)" }

    /// The folder of a release that nobody needs any more.
    ///
    /// No build writes to a folder of that name, so it may be removed without the lock.
    private func retired(_ number: Int) -> String { "\(path)/\(Self.retiredPrefix)\(number)" }

    private static let retiredPrefix = ".removed-"

    /// The file in most folders of a release.
    private static let page = "index.html"

    private var unpublished: String { "\(path)/.unpublished" }

    /// The numbers of the releases, lowest first.
    package func numbers() throws(SystemError) -> [Int] {
        try Folder.names(in: path).compactMap { Self.number($0) }.filter { isFolder("\($0)") }
            .sorted()
    }

    /// The number of files of a release.
    func countFiles(of number: Int) throws(SystemError) -> Int {
        try Self.countFiles(in: release(number))
    }

    private static func countFiles(in folder: String) throws(SystemError) -> Int {
        var count = 0
        for entry in try Folder.entries(of: folder) {
            count +=
                entry.kind == .folder ? try countFiles(in: "\(folder)/\(entry.name)") : 1
        }
        return count
    }

    /// A number that no release has, complete or not.
    func nextNumber() throws(SystemError) -> Int {
        let taken = try Folder.names(in: path).compactMap { name in
            Self.number(name) ?? Self.partialNumber(name) ?? Self.retiredNumber(name)
        }
        return (taken.max() ?? 0) + 1
    }

    /// Removes the files of a build that was killed.
    ///
    /// A complete release that was never current is removed as well: it was never served, and would
    /// count as one of the releases to keep.
    ///
    /// - Returns: the errors.
    func removeLeftovers() -> [String] {
        failures {
            if let number = SymbolicLink.destination(of: unpublished).flatMap({ Self.number($0) }) {
                if number != current, try numbers().contains(number) { try retire(number) }
                try File.remove(unpublished)
            }
            for name in try Folder.names(in: path) where Self.partialNumber(name) != nil {
                let leftover = "\(path)/\(name)"
                if isFolder(name) { try Folder.remove(leftover) } else { try File.remove(leftover) }
            }
        }
    }

    /// Renames a complete release to its number, and makes it current.
    ///
    /// - Parameter syncs: whether each step is synced to disk before the next. Otherwise a power
    ///   loss may leave a link to a release with empty pages.
    package func publish(_ number: Int, syncs: Bool) throws(SystemError) {
        try SymbolicLink.replace(unpublished, with: "\(number)")
        if syncs { try Folder.syncFileSystem(of: partial(number)) }
        try File.rename(partial(number), to: release(number))
        if syncs { try Folder.sync(path) }
        try makeCurrent(number)
    }

    func makeCurrent(_ number: Int) throws(SystemError) {
        try SymbolicLink.replace("\(output)/current", with: "releases/\(number)")
    }

    /// Completes a publication: from here on the release stays current.
    ///
    /// - Returns: the errors.
    func settle(syncs: Bool) -> [String] {
        failures {
            if syncs { try Folder.sync(output) }
        }
            + failures {
                if SymbolicLink.destination(of: unpublished) != nil { try File.remove(unpublished) }
            }
    }

    /// Removes the files of a release that could not be published.
    package func discard(_ number: Int) async {
        guard number != current else { return }
        for folder in [partial(number), release(number)] {
            _ = await failures { try await Folder.removeConcurrently(folder, usually: Self.page) }
        }
        try? File.remove(unpublished)
    }

    /// Renames old releases, so that ``removeRetired()`` can remove them.
    ///
    /// - Parameters:
    ///   - previous: the release that was current when the build began. It stays, because requests
    ///     that were judged by its rules may still be running. The lock was held since, so no other
    ///     release was served.
    ///   - count: the number of releases that stay.
    /// - Returns: the remaining releases, and the errors.
    func retireOld(
        previous: Int?,
        keeping count: Int
    ) -> (kept: [Int], failures: [String]) {
        guard let numbers = try? numbers() else {
            return ([], failures { _ = try numbers() })
        }
        var kept = Set([previous, current].compactMap(\.self)).intersection(numbers)
        for number in numbers.reversed() where kept.count < count { kept.insert(number) }
        var messages: [String] = []
        for number in numbers where !kept.contains(number) {
            messages += failures { try retire(number) }
        }
        return (kept.sorted(), messages)
    }

    /// Removes the releases that this build or an earlier one has retired.
    ///
    /// The caller need not hold the lock: what another build removes at the same time is no error.
    ///
    /// - Returns: the errors.
    func removeRetired() async -> [String] {
        var messages: [String] = []
        messages += await failures {
            for name in try Folder.names(in: path)
            where Self.retiredNumber(name) != nil && isFolder(name) {
                messages += await failures {
                    try await Folder.removeConcurrently("\(path)/\(name)", usually: Self.page)
                }
            }
        }
        return messages
    }

    /// Renamed in one step, so that an interrupted removal leaves no incomplete release to roll
    /// back to.
    private func retire(_ number: Int) throws(SystemError) {
        try File.rename(release(number), to: retired(number))
    }

    private func isFolder(_ name: String) -> Bool {
        (try? FileStatus(of: "\(path)/\(name)", followingLinks: false))?.kind == .folder
    }

    private func failures(_ work: () throws -> Void) -> [String] {
        do { try work() } catch { return ["\(error)"] }
        return []
    }

    private func failures(_ work: () async throws -> Void) async -> [String] {
        do { try await work() } catch { return ["\(error)"] }
        return []
    }

    private static func partialNumber(_ name: String) -> Int? {
        name.hasPrefix(".") ? number(name.dropFirst()) : nil
    }

    private static func retiredNumber(_ name: String) -> Int? {
        name.hasPrefix(retiredPrefix) ? number(name.dropFirst(retiredPrefix.count)) : nil
    }

    /// The number of a release; `08` and `+8` are not releases.
    private static func number(_ name: some StringProtocol) -> Int? {
        guard name.utf8.count <= 15, let number = Int(name), number > 0, "\(number)" == name else {
            return nil
        }
        return number
    }
}
