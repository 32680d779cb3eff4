import HTTPTypes
import OpenSSL

/// Finds out which application asks at the token endpoint (RFC 6749, section 2.3.1).
enum ClientAuthentication {
    /// The application, its secret proven by post or basic.
    static func application(
        _ form: QueryItems,
        _ request: EmulatorRequest,
        _ directory: Directory
    ) throws(ProtocolError) -> Directory.Application {
        let basic = request.http.headerFields[.authorization].flatMap(BasicCredentials.init)
        guard let clientID = basic?.clientID ?? form["client_id"] else {
            throw AuthorizationParameters.missing("client_id")
        }
        guard let application = directory.application(clientID) else {
            throw ProtocolError(
                error: "unauthorized_client",
                number: 700_016,
                message: "Application with identifier '\(clientID)' was not found in the directory."
            )
        }
        guard let secret = basic?.secret ?? form["client_secret"] else {
            throw ProtocolError(
                error: "invalid_client",
                number: 7_000_218,
                message: "The request body must contain the following parameter:"
                    + " 'client_assertion' or 'client_secret'.",
                status: .unauthorized
            )
        }
        guard Digest.equal(Array(secret.utf8), Array(application.clientSecret.utf8)) else {
            throw ProtocolError(
                error: "invalid_client",
                number: 7_000_215,
                message: "Invalid client secret provided. Ensure the secret being sent in the"
                    + " request is the client secret value, not the client secret ID, for a secret"
                    + " added to app '\(clientID)'.",
                status: .unauthorized
            )
        }
        return application
    }
}

/// `Authorization: Basic`, each half form-encoded (RFC 6749, section 2.3.1).
private struct BasicCredentials {
    let clientID: String
    let secret: String

    init?(_ header: String) {
        guard header.lowercased().hasPrefix("basic ") else { return nil }
        var bits: UInt32 = 0
        var count = 0
        var bytes: [UInt8] = []
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        )
        for character in header.dropFirst(6).utf8 where character != UInt8(ascii: "=") {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        let halves = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard halves.count == 2, let id = QueryItems("v=\(halves[0])")["v"],
            let secret = QueryItems("v=\(halves[1])")["v"]
        else { return nil }
        clientID = id
        self.secret = secret
    }
}
