import JOSE
import OpenSSL

/// Opaque ids in Microsoft's formats, always the same for the same thing.
enum OpaqueID {
    /// `login_hint` of an account.
    static func loginHint(of objectID: String) -> String {
        let digest = Digest.sha384(Array("login hint of \(objectID)".utf8))
        return "O.Ci" + Base64URL.encode(digest + digest)
    }

    /// `sub`: 43 characters, different for each application.
    static func subject(of objectID: String, for clientID: String) -> String {
        Base64URL.encode(Digest.sha256(Array("\(objectID) \(clientID)".utf8)))
    }

    /// A GUID derived from a text.
    static func guid(of text: String) -> String {
        GUID.text(Array(Digest.sha256(Array(text.utf8)).prefix(16)))
    }
}

/// GUIDs in their usual spelling.
enum GUID {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        return groups.joined(separator: "-")
    }

    static func isOne(_ text: String) -> Bool {
        let lengths = text.split(separator: "-", omittingEmptySubsequences: false).map(\.count)
        return lengths == [8, 4, 4, 4, 12]
            && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit || $0 == 45 }
    }
}
