import OpenSSL

/// A reason why sessions are over, known to all processes by its name.
public enum Revocation: Sendable {
    /// One session, by its id.
    case session([UInt8])
    /// All that came from one session at Entra, by its `sid`.
    case providerSession(guid: String)
    /// All of one account.
    case account(objectID: String)
    case everybody

    /// All of one account, in whatever spelling somebody has its object id.
    public static func account(spelled text: String) -> Revocation {
        .account(objectID: DisplayText.guid(text) ?? text)
    }

    /// Fit for the name of a file: letters, digits and `-`.
    public var name: String {
        switch self {
        case .session(let id): String(decoding: Hexadecimal.encode(id), as: UTF8.self)
        case .providerSession(let guid): Self.providerSessionName(CompactText(guid))
        case .account(let objectID): Self.accountName(CompactText(objectID))
        case .everybody: "everybody"
        }
    }

    static func providerSessionName(_ guid: CompactText) -> String {
        "sid-\(String(decoding: Hexadecimal.encode(guid.bytes), as: UTF8.self))"
    }

    /// Away from Entra, who somebody is may be any text.
    static func accountName(_ object: CompactText) -> String {
        let bytes = object.isGUID ? object.bytes : Array(Digest.sha256(object.bytes).prefix(16))
        return "account-\(String(decoding: Hexadecimal.encode(bytes), as: UTF8.self))"
    }
}

extension Session {
    /// The names under which it may have been ended; its own is the first.
    var revocationNames: [String] {
        var names = [Revocation.session(id).name, Revocation.everybody.name]
        names.append(Revocation.accountName(object))
        if providerSession.isGUID {
            names.append(Revocation.providerSessionName(providerSession))
        }
        return names
    }

    /// Whether any of its names was called since it began.
    ///
    /// - Parameter dates: for each of ``revocationNames``, when it was called last.
    func isRevoked(by dates: [NumericDate?]) -> Bool {
        // One of a kind: when does not matter, and clocks may differ.
        guard dates.count == revocationCount, dates[0] == nil else { return true }
        // The same second counts: to sign in again is a nuisance, to go on would be a leak.
        return dates.dropFirst().contains { date in date.map { $0 >= startedAt } ?? false }
    }

    private var revocationCount: Int { providerSession.isGUID ? 4 : 3 }
}
