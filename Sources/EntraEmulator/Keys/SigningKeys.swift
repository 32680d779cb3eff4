import Jansson
import OpenSSL

/// The keys that sign tokens, and the published keys.
public struct SigningKeys: Sendable {
    /// The kind of tenants whose tokens a key signs; each family has its own keys.
    enum Family: String, Sendable, CaseIterable {
        case `public`, usGovernment, china, consumers, external, b2c

        init(_ tenant: Tenant) {
            switch tenant.kind {
            case .consumers: self = .consumers
            case .external: self = .external
            case .b2c: self = .b2c
            case .workforce: self.init(tenant.cloud)
            }
        }

        init(_ cloud: Cloud) {
            switch cloud {
            case .public: self = .public
            case .usGovernment: self = .usGovernment
            case .china: self = .china
            }
        }

        var cloud: Cloud {
            switch self {
            case .usGovernment: .usGovernment
            case .china: .china
            default: .public
            }
        }
    }

    /// Ways in which keys change.
    enum Change: String, Sendable, CaseIterable {
        /// A new key signs at once; the old ones stay published.
        case rotate
        /// A new key is published, and signs nothing yet.
        case publish
        /// The key published last signs from now on.
        case adopt
        /// All keys but the signing one are withdrawn.
        case retire
        /// A new key signs and is the only one published, as after a theft.
        case replace

        var summary: String {
            switch self {
            case .rotate: "a new key signs at once; the old ones stay published"
            case .publish: "a new key is published, and signs nothing yet"
            case .adopt: "the key published last signs from now on"
            case .retire: "all keys but the signing one are withdrawn"
            case .replace: "a new key signs and is the only one, as after a theft"
            }
        }
    }

    private struct Keys: Sendable {
        var published: [SigningKey]
        var signing: SigningKey
    }

    private var families: [Family: Keys] = [:]

    /// Creates a key for each family of the directory; each key takes a tenth of a second.
    public init(for directory: Directory) throws(OpenSSLError) {
        for family in Self.families(of: directory) {
            let key = try SigningKey(commonName: family.cloud.certificateName)
            families[family] = Keys(published: [key], signing: key)
        }
    }

    /// Creates the keys on all cores at the same time.
    public init(concurrentlyFor directory: Directory) async throws {
        try await withThrowingTaskGroup(of: (Family, SigningKey).self) { group in
            for family in Self.families(of: directory) {
                group.addTask {
                    (family, try SigningKey(commonName: family.cloud.certificateName))
                }
            }
            for try await (family, key) in group {
                families[family] = Keys(published: [key], signing: key)
            }
        }
    }

    /// The public set lists keys of the government's cloud, even without a tenant there.
    private static func families(of directory: Directory) -> Set<Family> {
        Set(directory.tenants.map(Family.init) + [.public, .usGovernment, .consumers])
    }

    /// The key that signs tokens of a family.
    func signing(_ family: Family) throws(OpenSSLError) -> SigningKey {
        if let key = families[family]?.signing { return key }
        return try SigningKey(commonName: family.cloud.certificateName)
    }

    mutating func change(_ change: Change, _ family: Family) throws(OpenSSLError) {
        guard var keys = families[family] else { return }
        switch change {
        case .rotate, .publish, .replace:
            let fresh = try SigningKey(commonName: family.cloud.certificateName)
            keys.published = change == .replace ? [fresh] : keys.published + [fresh]
            if change != .publish { keys.signing = fresh }
        case .adopt: keys.signing = keys.published.last ?? keys.signing
        case .retire: keys.published = [keys.signing]
        }
        families[family] = keys
    }

    /// The keys of some families as JSON Web Keys.
    ///
    /// - Parameter issuer: the member `issuer` for a family; `nil` omits it.
    func webKeys(_ families: [(family: Family, issuer: String?)]) -> [JSON] {
        families.flatMap { family, issuer in
            let cloud =
                [.consumers, .external, .b2c].contains(family) ? nil : family.cloud.instanceName
            return (self.families[family]?.published ?? []).map {
                $0.webKey(issuer: issuer, cloud: cloud)
            }
        }
    }
}
