import JOSE

/// `Authorization: Basic`, each half form-encoded (RFC 6749, section 2.3.1).
struct BasicCredentials: Sendable {
    let clientID: String
    let secret: String

    init?(_ header: String) {
        guard header.lowercased().hasPrefix("basic ") else { return nil }
        let text = header.dropFirst(6).filter { $0 != "=" }
        let swapped: [Character: Character] = ["+": "-", "/": "_"]
        guard let bytes = Base64URL.decode(String(text.map { swapped[$0] ?? $0 })) else {
            return nil
        }
        let halves = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard halves.count == 2, let id = QueryItems("v=\(halves[0])")["v"],
            let secret = QueryItems("v=\(halves[1])")["v"]
        else { return nil }
        clientID = id
        self.secret = secret
    }
}
