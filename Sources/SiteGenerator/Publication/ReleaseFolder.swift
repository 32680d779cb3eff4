import POSIX

/// The releases on disk and the link that says which of them is served.
///
///     public/current -> releases/8
///     public/releases/8               a release
///     public/releases/.9              a release that is being written, or removed
///     public/releases/.unpublished    -> 9, while 9 is complete and not yet the current one
///
/// Anything else in it belongs to somebody else and stays: `.gitkeep`, the `.nfs…` files of NFS.
struct ReleaseFolder: Sendable {
    let output: String

    var path: String { "\(output)/releases" }

    /// The release that is served.
    var current: Int? {
        SymbolicLink.destination(of: "\(output)/current")
            .flatMap { $0.split(separator: "/").last }.flatMap { Self.number($0) }
    }

    func release(_ number: Int) -> String { "\(path)/\(number)" }

    /// Where a release is while it is incomplete.
    func partial(_ number: Int) -> String { "\(path)/.\(number)" }

    private var unpublished: String { "\(path)/.unpublished" }

    /// Of the releases, lowest first.
    func numbers() throws(SystemError) -> [Int] {
        try Folder.entries(of: path).filter { $0.kind == .folder }
            .compactMap { Self.number($0.name) }.sorted()
    }

    /// A number that nothing in the folder has.
    func nextNumber() throws(SystemError) -> Int {
        let taken = try Folder.entries(of: path).compactMap { entry in
            Self.number(entry.name.hasPrefix(".") ? entry.name.dropFirst() : entry.name[...])
        }
        return (taken.max() ?? 0) + 1
    }

    /// Removes what a build that was killed has left.
    ///
    /// A release that is complete and was never the current one is removed as well: nobody has
    /// looked at it, and it would take the place of one that can be gone back to.
    ///
    /// - Returns: what could not be removed, and why.
    func removeLeftovers() -> [String] {
        failures {
            if let number = SymbolicLink.destination(of: unpublished).flatMap({ Self.number($0) }) {
                if number != current, try numbers().contains(number) { try remove(number) }
                try File.remove(unpublished)
            }
            for entry in try Folder.entries(of: path)
            where entry.name.hasPrefix(".") && Self.number(entry.name.dropFirst()) != nil {
                let leftover = "\(path)/\(entry.name)"
                if entry.kind == .folder {
                    try Folder.remove(leftover)
                } else {
                    try File.remove(leftover)
                }
            }
        }
    }

    /// Gives a complete release its name and makes it the current one.
    ///
    /// - Parameter syncs: whether each step is on disk before the next one. Without that, a power
    ///   loss may leave a link to a release whose pages are empty.
    func publish(_ number: Int, syncs: Bool) throws(SystemError) {
        try SymbolicLink.replace(unpublished, with: "\(number)")
        if syncs { try Folder.syncFileSystem(of: partial(number)) }
        try File.rename(partial(number), to: release(number))
        if syncs { try Folder.sync(path) }
        try makeCurrent(number)
    }

    func makeCurrent(_ number: Int) throws(SystemError) {
        try SymbolicLink.replace("\(output)/current", with: "releases/\(number)")
    }

    /// Ends a publication, after which nothing undoes it any more.
    ///
    /// - Returns: what failed, and why.
    func settle(syncs: Bool) -> [String] {
        failures {
            if syncs { try Folder.sync(output) }
        }
            + failures {
                if SymbolicLink.destination(of: unpublished) != nil { try File.remove(unpublished) }
            }
    }

    /// Removes what there is of a release that could not be published.
    func discard(_ number: Int) {
        guard number != current else { return }
        try? Folder.remove(partial(number))
        try? remove(number)
        try? File.remove(unpublished)
    }

    /// Removes the releases that are neither needed nor to be kept.
    ///
    /// - Parameters:
    ///   - previous: the release that was current when the build began; requests that were judged
    ///     by its rules may still be on their way. The lock was held since, so no other release was
    ///     served meanwhile.
    ///   - count: how many releases stay.
    /// - Returns: those that stay, and what could not be removed, and why.
    func removeOld(
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
            messages += failures { try remove(number) }
        }
        return (kept.sorted(), messages)
    }

    /// Renamed first: what is left if this is interrupted is no release that anybody goes back to.
    private func remove(_ number: Int) throws(SystemError) {
        try File.rename(release(number), to: partial(number))
        try Folder.remove(partial(number))
    }

    private func failures(_ work: () throws -> Void) -> [String] {
        do { try work() } catch { return ["\(error)"] }
        return []
    }

    /// As builds write it; `08` and `+8` are no releases.
    private static func number(_ name: some StringProtocol) -> Int? {
        guard name.utf8.count <= 15, let number = Int(name), number > 0, "\(number)" == name else {
            return nil
        }
        return number
    }
}
