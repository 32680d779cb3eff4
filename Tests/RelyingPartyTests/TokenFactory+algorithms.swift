import JOSE
import Jansson
import OpenSSL

@testable import RelyingParty

/// A key for each algorithm.
extension TokenFactory {
    private static let edwardsKey = Ed25519PrivateKey(seed: [UInt8](repeating: 7, count: 32))

    /// The base point of P-256, and the number of its multiples (SP 800-186, section 3.2.1.3).
    enum P256 {
        static let x = bytes("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
        static let y = bytes("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
        static let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

        private static func bytes(_ digits: String) -> [UInt8] {
            let digits = digits.compactMap(\.hexDigitValue)
            return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }

        /// The signature of the private key 1, whose public key is the base point, with the random
        /// number 1: `r` is x, and `s` the digest plus x.
        static func signature(of message: [UInt8]) -> [UInt8] {
            var sum = [0] + zip(Digest.sha256(message), x).map { Int($0) + Int($1) }
            while true {
                for place in sum.indices.reversed().dropLast() {
                    sum[place - 1] += sum[place] >> 8
                    sum[place] &= 0xFF
                }
                let order = [0] + order.map(Int.init)
                if sum.lexicographicallyPrecedes(order) { break }
                sum = zip(sum, order).map { $0 - $1 }
            }
            return x + sum.dropFirst().map(UInt8.init)
        }
    }

    static func signature(_ algorithm: SignatureAlgorithm, of message: [UInt8]) throws -> [UInt8] {
        guard let key else { throw NoKey() }
        return switch algorithm {
        case .rs256: try key.signature(of: message, scheme: .pkcs1)
        case .ps256: try key.signature(of: message, scheme: .pss)
        case .es256: P256.signature(of: message)
        case .ed25519: edwardsKey.signature(of: message)
        }
    }

    /// A signed token whose header says of its algorithm what it will.
    static func token(
        _ claims: JSON,
        _ header: JSON.Members,
        signed algorithm: SignatureAlgorithm
    ) throws -> String {
        let parts = [JSON.object(header), claims].map { Base64URL.encode(Array($0.text.utf8)) }
        let input = parts.joined(separator: ".")
        return "\(input).\(Base64URL.encode(try signature(algorithm, of: Array(input.utf8))))"
    }

    /// The key that verifies an algorithm, without issuer and cloud.
    static func webKey(for algorithm: SignatureAlgorithm) throws -> JSON.Members {
        var members: JSON.Members =
            switch algorithm {
            case .rs256, .ps256: try webKey(issuer: nil, cloud: nil).members ?? [:]
            case .es256:
                [
                    "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(P256.x)),
                    "y": .string(Base64URL.encode(P256.y)),
                ]
            case .ed25519: JSONWebKey.json(of: edwardsKey).members ?? [:]
            }
        members["use"] = "sig"
        members["kid"] = "k1"
        members["alg"] = .string(algorithm.rawValue)
        return members
    }
}
