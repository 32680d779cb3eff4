import Synchronization

/// The device codes that were issued (RFC 8628).
final class DeviceCodes: Sendable {
    struct Code: Sendable {
        enum State: Sendable {
            /// The sign-in is not completed yet.
            case pending
            /// The user has declined.
            case declined
            case approved(Grant)
            case redeemed
        }

        let clientID: String
        let scopes: [String]
        let authority: Authority
        let userCode: String
        let issuedAt: Int
        var state = State.pending
    }

    /// The lifetime of a code in seconds.
    static let lifetime = 900
    /// Seconds that a device waits between two requests.
    static let interval = 5
    static let userCodeLength = 9
    /// Letters and digits that are not easily confused; there are 32, so that all are equally
    /// likely.
    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)

    private struct Store: Sendable {
        var codes = RecentValues<Code>(limit: 1000)
        /// The device code of each user code.
        var userCodes = RecentValues<String>(limit: 1000)
    }

    private let store = Mutex(Store())

    /// A user code made of random bytes.
    static func userCode(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.map { alphabet[Int($0) % alphabet.count] }, as: UTF8.self)
    }

    /// A typed user code in normalised form: case, spaces and hyphens do not count.
    static func normalized(_ text: String) -> String {
        let upper = text.utf8.map {
            $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") ? $0 - 32 : $0
        }
        return String(decoding: upper.filter(alphabet.contains), as: UTF8.self)
    }

    func add(_ code: Code, _ text: String) {
        store.withLock { store in
            store.codes[text] = code
            store.userCodes[code.userCode] = text
        }
    }

    subscript(text: String) -> Code? { store.withLock { $0.codes[text] } }

    /// The device code of a typed user code, unless it was answered already.
    func pending(_ userCode: String) -> Code? {
        store.withLock { store in
            guard let text = store.userCodes[userCode], let code = store.codes[text],
                case .pending = code.state
            else { return nil }
            return code
        }
    }

    /// Answers a pending code.
    ///
    /// - Returns: whether the code was still pending.
    func answer(_ userCode: String, _ state: Code.State) -> Bool {
        store.withLock { store in
            guard let text = store.userCodes[userCode], case .pending = store.codes[text]?.state
            else { return false }
            store.codes[text]?.state = state
            return true
        }
    }

    /// Marks an approved code as used.
    ///
    /// - Returns: the code's grant, if this is the first use.
    func redeem(_ text: String) -> Grant? {
        store.withLock { store in
            guard case .approved(let grant) = store.codes[text]?.state else { return nil }
            store.codes[text]?.state = .redeemed
            return grant
        }
    }
}
