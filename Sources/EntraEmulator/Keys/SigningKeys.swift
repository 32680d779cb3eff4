import Jansson
import OpenSSL

/// The keys that sign tokens, and those that are published beside them.
public struct SigningKeys: Sendable {
    /// Whose tokens a key signs; each family has keys of its own.
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
    /// Signs what a fault asks for, and is never published.
    let stranger: SigningKey

    /// Makes two fresh keys for each kind of tenant that there is; each takes a tenth of a second.
    public init(for directory: Directory) throws(OpenSSLError) {
        // The public set lists keys of the government's cloud whether there is an office or not.
        var families: Set<Family> = [.public, .usGovernment, .consumers]
        for tenant in directory.tenants { families.insert(Family(tenant)) }
        for family in Family.allCases where families.contains(family) {
            let name = family.cloud.certificateName
            let signing = try SigningKey(commonName: name)
            let published = family == .public ? [try SigningKey(commonName: name)] : []
            self.families[family] = Keys(published: published + [signing], signing: signing)
        }
        stranger = try SigningKey(commonName: "stranger.example.com")
    }

    /// The key that signs tokens of a family.
    func signing(_ family: Family) -> SigningKey { families[family]?.signing ?? stranger }

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

    /// The keys of some families as a key set has them.
    ///
    /// - Parameter issuer: what `issuer` says for a family, `nil` where it is left out.
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
