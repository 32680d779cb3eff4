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
    }

    /// The folder of releases, with `/` at its end.
    private let releases: String
    private let link: String
    private let cache = Mutex(Cache())

    /// The greatest number of cached releases, more than sitegen keeps.
    private static let maximumEntries = 1100
    /// Forty languages are a megabyte, and readers are answered from the newest releases.
    private static let maximumLanguages = 4

    init(site: String) throws(SystemError) {
        let folder = "\(site)/releases"
        guard let real = Host.realPath(folder) else { throw SystemError("open", folder) }
        releases = real + "/"
        link = "\(site)/current"
    }

    /// The release that new requests are served from.
    @Sendable func current() -> String? { Host.realPath(link) }

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
        guard isRelease(release), let status = try? FileStatus(of: "\(release)/\(name)") else {
            return nil
        }
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

    /// Whether a path is the folder of a release: `SITE_RELEASE` names files that siteauth opens.
    private func isRelease(_ path: String) -> Bool {
        guard path.hasPrefix(releases) else { return false }
        let name = path.utf8.dropFirst(releases.utf8.count)
        return !name.isEmpty && name.count < 12 && name.allSatisfy { (48...57).contains($0) }
    }
}
