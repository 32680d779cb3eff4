import POSIX

/// The host name of a request, if it is a name of the loopback interface.
///
/// DNS rebinding: a page of an attacker may let its own host name resolve to 127.0.0.1, and would
/// then read our answers as its own. It cannot change the `Host` field that browsers send, so other
/// names are refused.
struct LoopbackAuthority: Equatable {
    /// `http://localhost:8000`.
    let origin: String
    var port: UInt16 { origin.split(separator: ":").last.flatMap { UInt16($0) } ?? 80 }

    /// - Parameter host: the header field `Host` (RFC 9110, section 7.2).
    init?(_ host: String) {
        let bytes = Array(host.utf8)
        let end = bytes.last == UInt8(ascii: "]") ? nil : bytes.lastIndex(of: UInt8(ascii: ":"))
        let name = String(decoding: bytes[..<(end ?? bytes.count)], as: UTF8.self).lowercased()
        // An authority has brackets around an IPv6 address (RFC 3986, section 3.2.2).
        guard name != "::1", LoopbackAddress.all(name) != nil else { return nil }
        var origin = "http://\(name)"
        if let end {
            let digits = bytes[(end + 1)...]
            guard (1...5).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) })
            else { return nil }
            origin += ":\(String(decoding: digits, as: UTF8.self))"
        }
        self.origin = origin
    }
}
