import Access
import POSIX
import RelyingParty
import Synchronization

/// Reads the access policies and page frames of releases.
///
/// nginx names the release of each request, and that release's policy decides. Files are cached,
/// and their status is checked for each request, because a folder may be removed and created again
/// under the same number.
final class ReleaseFiles: Sendable {
    private struct Entry<Value: Sendable>: Sendable {
        let status: FileStatus
        let value: Value?
    }

    private struct Cache {
        var policies: [String: Entry<AccessPolicy>] = [:]
        var frames: [String: Entry<String>] = [:]
        var languages: [String: Entry<ReaderLanguages>] = [:]
        /// The folders of releases of other sites for which nginx asked.
        var foreign: Set<String> = []
    }

    /// The folder of releases, with `/` at its end.
    private let releases: String
    private let link: String
    private let report: @Sendable (String) -> Void
    private let cache = Mutex(Cache())

    /// The greatest number of cached releases, more than sitegen keeps.
    private static let maximumEntries = 1100
    /// Forty languages are a megabyte, and readers are answered from the newest releases.
    private static let maximumLanguages = 4

    /// - Parameter report: called when nginx asks for releases of another site.
    init(
        site: String,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(SystemError) {
        let folder = "\(site)/releases"
        guard let real = Host.realPath(folder) else { throw SystemError("open", folder) }
        releases = real + "/"
        link = "\(site)/current"
        self.report = report
    }

    /// The release that new requests are served from.
    @Sendable func current() -> String? { Host.realPath(link) }

    /// Why the policy of the current release cannot be read, with its file and line.
    @Sendable func currentProblem() -> String? {
        guard let release = current() else { return "'\(link)' leads to no release" }
        guard isRelease(release) else {
            return "'\(link)' leads to '\(release)', which is no folder in '\(releases)'"
        }
        let path = "\(release)/access"
        do {
            let bytes = try File.read(path, maximumBytes: AccessPolicy.maximumBytes)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return "'\(path)' is not UTF-8"
            }
            _ = try AccessPolicy(reading: text)
            return nil
        } catch let error as AccessPolicy.ReadError {
            return "\(path):\(error.line): \(error.message)"
        } catch { return "\(error)" }
    }

    @Sendable func policy(of release: String) -> AccessPolicy? {
        cached(release, "access", \.policies) { AccessPolicy(text: $0) }
    }

    @Sendable func frame(of release: String) -> String? {
        cached(release, "auth/page.html", \.frames) { $0 }
    }

    @Sendable func languages(of release: String) -> ReaderLanguages? {
        cached(release, "auth/texts.json", \.languages, most: Self.maximumLanguages) {
            ReaderLanguages($0)
        }
    }

    private func cached<Value>(
        _ release: String,
        _ name: String,
        _ entries: WritableKeyPath<Cache, [String: Entry<Value>]> & Sendable,
        most: Int = maximumEntries,
        _ parse: (String) -> Value?
    ) -> Value? {
        guard isRelease(release) else {
            reportForeign(release)
            return nil
        }
        guard let status = try? FileStatus(of: "\(release)/\(name)") else { return nil }
        if let entry = cache.withLock({ $0[keyPath: entries][release] }), entry.status == status {
            return entry.value
        }
        // A failed read, for lack of descriptors perhaps, is not cached: it would close the site
        // until the next release.
        guard
            let bytes = try? File.read(
                "\(release)/\(name)",
                maximumBytes: AccessPolicy.maximumBytes
            )
        else { return nil }
        let value = String(validating: bytes, as: UTF8.self).flatMap(parse)
        cache.withLock { cache in
            if cache[keyPath: entries][release] == nil {
                // A site that publishes often would otherwise keep the policies of all that it has
                // published.
                cache[keyPath: entries] = cache[keyPath: entries].filter { release, _ in
                    (try? FileStatus(of: release)) != nil
                }
            }
            if cache[keyPath: entries].count >= most {
                cache[keyPath: entries].removeAll()
            }
            cache[keyPath: entries][release] = Entry(status: status, value: value)
        }
        return value
    }

    /// Two server blocks of nginx with the same '$site' ask one siteauth, which lets nobody read the
    /// pages of the other site, and sends its strangers to its own.
    private func reportForeign(_ release: String) {
        guard let slash = release.lastIndex(of: "/") else { return }
        let folder = String(release[...slash])
        let isNew = cache.withLock { cache in
            cache.foreign.count < 10 && cache.foreign.insert(folder).inserted
        }
        guard isNew else { return }
        report(
            "nginx asks about the releases in '\(folder)', but this siteauth guards '\(releases)'; "
                + "each site needs a siteauth of its own, so '$site' must differ in the server "
                + "blocks of nginx, or '--site' must name the folder of nginx's 'root'"
        )
    }

    /// Whether a path is the folder of a release: `SITE_RELEASE` names files that siteauth opens.
    private func isRelease(_ path: String) -> Bool {
        guard path.hasPrefix(releases) else { return false }
        let name = path.utf8.dropFirst(releases.utf8.count)
        return !name.isEmpty && name.count < 12 && name.allSatisfy { (48...57).contains($0) }
    }
}
