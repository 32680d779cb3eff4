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

    /// Fit for the name of a file: letters, digits and `-`.
    public var name: String {
        switch self {
        case .session(let id): String(decoding: Hexadecimal.encode(id), as: UTF8.self)
        case .providerSession(let guid): "sid-\(guid)"
        case .account(let objectID): "account-\(Self.fileName(CompactText(objectID)))"
        case .everybody: "everybody"
        }
    }

    /// Away from Entra, who somebody is may be any text.
    private static func fileName(_ text: CompactText) -> String {
        if text.isGUID { return text.text }
        let digest = Digest.sha256(text.bytes).prefix(16)
        return String(decoding: Hexadecimal.encode(digest), as: UTF8.self)
    }
}

extension Session {
    /// The names under which it may have been ended; its own is the first.
    var revocationNames: [String] {
        var names = [Revocation.session(id).name, Revocation.everybody.name]
        names.append(Revocation.account(objectID: objectID).name)
        if providerSession.isGUID {
            names.append(Revocation.providerSession(guid: providerSession.text).name)
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
