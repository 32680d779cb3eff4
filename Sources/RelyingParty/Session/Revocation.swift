import OpenSSL
import SiteauthConfiguration

/// A reason why sessions have ended, known to all processes by its name.
public enum Revocation: Sendable {
    /// One session, by its id.
    case session([UInt8])
    /// All sessions that came from one session at the provider, by its `sid`.
    ///
    /// It is a GUID at Entra, and may be any text at other providers.
    case providerSession(String)
    /// All sessions of one account, in one tenant or in all of them.
    case account(objectID: String, tenantID: String?)
    /// All sessions in which the reader is in a group of the site, by its name.
    case group(String)
    case everybody

    /// All sessions of an account whose object id and tenant id a person has typed.
    public static func account(spelled text: String, tenant: String? = nil) -> Revocation {
        .account(
            objectID: DisplayText.guid(text) ?? text,
            tenantID: tenant.map { DisplayText.guid($0) ?? $0 }
        )
    }

    /// The name of the revocation; usable as a file name, with letters, digits and `-` only.
    public var name: String {
        switch self {
        case .session(let id): Digest.hexadecimal(id)
        case .providerSession(let sid):
            Self.providerSessionName(CompactText(DisplayText.guid(sid) ?? sid))
        case .account(let objectID, let tenantID):
            Self.accountName(CompactText(objectID), in: tenantID.map { CompactText($0) })
        case .group(let name): "group-\(Self.digits(of: CompactText(name)))"
        case .everybody: "everybody"
        }
    }

    /// The entries that this revocation makes in the list, in this order.
    public var names: [String] {
        if case .group = self { return [name, Self.anyGroup] }
        return [name]
    }

    /// The entry with the time of the last revocation of any group: without one since its start, a
    /// session's groups need not be looked up.
    static let anyGroup = "groups"

    static func providerSessionName(_ sid: CompactText) -> String { "sid-\(digits(of: sid))" }

    /// Two tenants may have accounts with the same object id.
    ///
    /// At providers other than Entra, an id may be any text.
    static func accountName(_ object: CompactText, in tenant: CompactText? = nil) -> String {
        let name = "account-\(digits(of: object))"
        return tenant.map { "\(name)-\(digits(of: $0))" } ?? name
    }

    private static func digits(of text: CompactText) -> String {
        let bytes = text.isGUID ? text.bytes : Array(Digest.sha256(text.bytes).prefix(16))
        return Digest.hexadecimal(bytes)
    }
}

extension Revocation: CustomStringConvertible {
    /// Whose sessions end, with ids in the form in which they are compared.
    public var description: String {
        switch self {
        case .session: "one session"
        case .providerSession(let sid): "the provider's session '\(sid)'"
        case .account(let objectID, let tenantID):
            "'\(objectID)' of \(tenantID.map { "tenant '\($0)'" } ?? "all tenants")"
        case .group(let name): "readers in the group '\(name)'"
        case .everybody: "everybody"
        }
    }
}

extension AuthConfiguration {
    /// Why no session can belong to an account: at Entra, accounts and tenants have GUIDs, and a
    /// revocation by a name would end nothing.
    public func problem(ofAccount objectID: String?, tenant: String?) -> String? {
        guard metadataURL.isMicrosoft else { return nil }
        if let objectID, DisplayText.guid(objectID) == nil {
            let remedy = "see 'Object ID' in the Entra portal, or siteauth's log line of a sign-in"
            return
                "'--user' is '\(objectID)'; it must be the account's object id, a GUID; \(remedy)"
        }
        if let tenant, DisplayText.guid(tenant) == nil {
            return "'--tenant' is '\(tenant)'; it must be the tenant's id, a GUID"
        }
        return nil
    }
}

extension Session {
    /// The names of all revocations that end this session; the session's own name is the first, and
    /// the second one only says whether groups matter.
    var revocationNames: [String] {
        var names = [Revocation.session(id).name, Revocation.anyGroup, Revocation.everybody.name]
        names.append(Revocation.accountName(object))
        names.append(Revocation.accountName(object, in: tenant))
        if let name = providerSessionName { names.append(name) }
        return names
    }

    /// The name of the revocation of the provider's session, if the provider named one.
    var providerSessionName: String? {
        providerSession.bytes.isEmpty ? nil : Revocation.providerSessionName(providerSession)
    }

    /// Whether a revocation other than of a group has ended the session.
    ///
    /// - Parameter dates: for each of ``revocationNames``, the time of the last revocation.
    func isRevoked(by dates: [NumericDate?]) -> Bool {
        // A session's own revocation counts whatever its time, because clocks may differ.
        guard dates.count == revocationCount, dates[0] == nil else { return true }
        // A revocation in the second of the sign-in counts: an extra sign-in is a nuisance, a
        // surviving session would be a leak.
        return dates.dropFirst(2).contains(where: isRevoked)
    }

    /// The groups of the session that have to be looked up, by the names of their revocations.
    ///
    /// - Parameter dates: for each of ``revocationNames``, the time of the last revocation.
    func groupRevocationNames(by dates: [NumericDate?]) -> [String] {
        isRevoked(dates[1]) ? groups.map { Revocation.group($0).name } : []
    }

    func isRevoked(_ date: NumericDate?) -> Bool { date.map { $0 >= startedAt } ?? false }

    private var revocationCount: Int { providerSession.bytes.isEmpty ? 5 : 6 }
}
