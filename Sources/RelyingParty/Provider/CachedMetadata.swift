import JOSE
import Jansson
import SiteauthConfiguration

/// The provider's documents as stored on disk between two processes.
///
/// The two documents are stored as received, and verified again when they are read: a damaged or
/// forged file is as good as none.
public struct CachedMetadata {
    let snapshot: Provider.Snapshot
    private let document: [UInt8]
    private let keySet: [UInt8]

    public static let version = 1

    init(_ snapshot: Provider.Snapshot, document: [UInt8], keySet: [UInt8]) {
        self.snapshot = snapshot
        self.document = document
        self.keySet = keySet
    }

    /// Reads what ``bytes(for:)`` wrote, or returns `nil` if the documents are of another provider,
    /// too old, or from the future.
    ///
    /// Keys dated in the future would never expire.
    init?(parsing bytes: [UInt8], for url: WebURL, at now: NumericDate) {
        guard let members = (try? JSON(parsing: bytes))?.members,
            (try? members.integerIfPresent("version")) == Self.version,
            (try? members.text("metadata_url")) == url.text,
            let fetchedAt = try? members.integerIfPresent("fetched_at", in: 0...max(now, 0)),
            now - fetchedAt < Provider.Interval.expiry,
            let document = (try? members.explanationIfPresent("document")).map({ Array($0.utf8) }),
            let keySet = (try? members.explanationIfPresent("key_set")).map({ Array($0.utf8) }),
            let metadata = try? ProviderMetadata.parse(document, from: url).get(),
            let keys = JSONWebKeySet(parsing: keySet)
        else { return nil }
        snapshot = Provider.Snapshot(metadata: metadata, keys: keys, fetchedAt: fetchedAt)
        self.document = document
        self.keySet = keySet
    }

    func bytes(for url: WebURL) -> [UInt8] {
        let json: JSON = [
            "version": .integer(Self.version), "metadata_url": .string(url.text),
            "fetched_at": .integer(snapshot.fetchedAt),
            "document": .string(String(decoding: document, as: UTF8.self)),
            "key_set": .string(String(decoding: keySet, as: UTF8.self)),
        ]
        return Array(json.text.utf8)
    }
}
