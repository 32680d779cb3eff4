import JOSE
import Jansson
import OpenSSL

/// Makes an ID token with the faults that a test has switched on.
struct FaultyIDToken: Sendable {
    let faults: Set<Fault>
    let keys: SigningKeys
    /// The family of the token's tenant.
    let family: SigningKeys.Family

    /// - Parameter claims: correct claims.
    func token(_ claims: JSON) throws(OpenSSLError) -> String {
        let payload = payload(changed(claims.members ?? [:]))
        if faults.contains(.algorithmNone) {
            return Self.input(["typ": "JWT", "alg": "none"], payload) + "."
        }
        if faults.contains(.algorithmHS256) { return try hmac(payload) }
        let token = try key().sign(payload)
        return faults.contains(.signatureBroken) ? Self.broken(token) : token
    }

    private func changed(_ claims: JSON.Members) -> JSON.Members {
        var claims = claims
        let other = "deadbeef-0000-4000-8000-00000000dead"
        let now = claims["nbf"]?.integer ?? 0
        let tenant = claims["tid"]?.string ?? ""
        for fault in Fault.allCases where faults.contains(fault) {
            switch fault {
            case .issuerWrong:
                let issuer = claims["iss"]?.string ?? ""
                claims["iss"] = .string(issuer.split(separator: tenant).joined(separator: other))
            case .audienceWrong: claims["aud"] = .string(other)
            case .nonceWrong: claims["nonce"] = .string((claims["nonce"]?.string ?? "") + "A")
            case .nonceMissing: claims["nonce"] = nil
            case .tenantWrong: claims["tid"] = .string(other)
            case .tenantMissing: claims["tid"] = nil
            case .objectIDMissing: claims["oid"] = nil
            case .expired:
                for (name, age) in [("iat", 11_100), ("nbf", 11_100), ("exp", 3600)] {
                    claims[name] = .integer(now + 300 - age)
                }
            case .notYetValid:
                for (name, delay) in [("iat", 3600), ("nbf", 3600), ("exp", 7200)] {
                    claims[name] = .integer(now + 300 + delay)
                }
            case .contextMissing: claims["acrs"] = nil
            case .contextWrong: claims["acrs"] = ["c25"]
            case .version1:
                claims["ver"] = "1.0"
                claims["iss"] = .string("https://sts.windows.net/\(tenant)/")
                claims["unique_name"] = claims["preferred_username"]
                claims["preferred_username"] = nil
            default: break
            }
        }
        return claims
    }

    /// The payload; for a claim that occurs twice, JSON that no library would write.
    private func payload(_ claims: JSON.Members) -> [UInt8] {
        let text = Array(JSON.object(claims).text.utf8)
        let name =
            faults.contains(.claimTwice)
            ? "tid" : faults.contains(.claimTwiceInOtherCase) ? "TID" : nil
        guard let name else { return text }
        let member = "{\"\(name)\":\"deadbeef-0000-4000-8000-00000000dead\","
        return Array(member.utf8) + text.dropFirst()
    }

    private func key() throws(OpenSSLError) -> SigningKey {
        if faults.contains(.keyUnknown) { return try SigningKey(commonName: "stranger.example") }
        if faults.contains(.keyOfOtherCloud) { return try keys.signing(.usGovernment) }
        if faults.contains(.keyOfOtherIssuer) {
            return try keys.signing(family == .consumers ? .public : .consumers)
        }
        return try keys.signing(family)
    }

    /// Signs with the published key as the key of an HMAC (RFC 8725, section 2.1).
    private func hmac(_ payload: [UInt8]) throws(OpenSSLError) -> String {
        let key = try keys.signing(family)
        let input = Self.input(["typ": "JWT", "alg": "HS256", "kid": .string(key.keyID)], payload)
        let secret = Array(key.webKey(issuer: nil, cloud: nil)["n"]?.string?.utf8 ?? "".utf8)
        return "\(input).\(Base64URL.encode(Digest.hmac(Array(input.utf8), key: secret)))"
    }

    private static func input(_ header: JSON, _ payload: [UInt8]) -> String {
        "\(Base64URL.encode(Array(header.text.utf8))).\(Base64URL.encode(payload))"
    }

    private static func broken(_ token: String) -> String {
        let parts = token.split(separator: ".")
        guard var signature = parts.last.flatMap({ Base64URL.decode($0) }), !signature.isEmpty
        else { return token }
        signature[signature.count / 2] ^= 1
        return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"
    }
}
