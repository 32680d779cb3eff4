import Access
import Diagnostics

/// The files that a release may have, and must have.
extension Pack {
    /// A release without one of these would show pages without a policy, or none at all.
    static let required = ["access", "redirects.map"] + SiteFiles.fixedTemplates.map(\.1)

    /// Folders of the site that sitegen fills itself.
    private static let generated = ["_reader", "_search"]

    /// Refuses files outside the places that sitegen writes to, two files with one name, and a
    /// release without its policy.
    func checkEntries() throws(CommandError) {
        var previous: String?
        var names: Set<String> = []
        var folders: Set<String> = []
        var bytes = 0
        for entry in entries {
            let shown = SitePathName.encode(entry.path)
            if let mistake = Self.mistake(entry.path) {
                throw CommandError("the pack has a file '\(shown)': \(mistake)")
            }
            if let previous, !previous.utf8.lexicographicallyPrecedes(entry.path.utf8) {
                throw CommandError("the pack lists '\(shown)' twice or out of order")
            }
            previous = entry.path
            guard entry.size <= Self.maximumFileBytes else {
                throw CommandError("'\(shown)' has \(entry.size) bytes; a file may have 1 GiB")
            }
            guard entry.size <= AccessPolicy.maximumBytes || !Self.required.contains(entry.path)
            else {
                throw CommandError("'\(shown)' has \(entry.size) bytes; it may have 64 MiB")
            }
            if entry.isNew { bytes += entry.size }
            if !entry.isNew, base == nil {
                throw CommandError("the pack takes '\(shown)' from no release")
            }
            let name = entry.path.lowercased()
            for name in entry.isCompressed ? [name, "\(name).gz"] : [name] {
                guard names.insert(name).inserted else {
                    throw CommandError("the pack has two files for '\(shown)'; case does not count")
                }
            }
            var folder = name[...]
            while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
                folder = folder[..<slash]
                guard folders.insert(String(folder)).inserted else { break }
            }
            guard folders.count <= Self.maximumFiles else {
                throw CommandError("the pack has more than \(Self.maximumFiles) folders")
            }
        }
        guard bytes <= Self.maximumBytes else {
            throw CommandError("the files of the pack have \(bytes) bytes; they may have 8 GiB")
        }
        if let both = names.intersection(folders).min() {
            let shown = SitePathName.encode(both)
            throw CommandError("the pack has '\(shown)' as a file and as a folder")
        }
        let paths = Set(entries.map(\.path))
        if let missing = Self.required.first(where: { !paths.contains($0) }) {
            throw CommandError(
                "the pack has no '\(missing)'; use the same version of sitegen on both machines"
            )
        }
    }

    /// Why a release may not have a file of this path, or `nil` if it may.
    private static func mistake(_ path: String) -> String? {
        if required.contains(path) || path == ReaderTexts.path { return nil }
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "site" || parts[0] == "theme" else {
            return "a release has no such file"
        }
        guard parts[1].utf8.last != UInt8(ascii: "/"), !parts[1].isEmpty else {
            return "it is a folder"
        }
        var url = "/\(parts[1])"
        if parts[0] == "site" {
            for folder in generated where url.hasPrefix("/\(folder)/") {
                url.removeFirst(folder.utf8.count + 1)
            }
        }
        return SitePathName.mistake(url)
    }
}
