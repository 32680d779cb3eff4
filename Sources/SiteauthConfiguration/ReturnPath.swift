import Access

/// The address to which a reader returns after signing in: path and query on this site.
///
/// A stranger can choose it, by a link to a page of this site, and open redirects hide here in
/// every product of this kind. So nothing is repaired: a text that is not plainly an address of
/// this site is not carried. The redirect is then made with the site's own origin in front, so that
/// no browser can read a host into the path.
///
/// What is not carried is not lost: the browser still shows it (``SignIn/stay(_:at:)``).
package enum ReturnPath {
    package static let home = "/"
    /// The address is part of the sign-in state, which travels in two URLs.
    ///
    /// With this length, the authorization request is shorter than the 4,094 bytes that some servers
    /// of providers take, and the callback with a code of 2,000 bytes fits into nginx's 8 KB.
    package static let maximumLength = 2000
    /// How often a browser or a proxy may decode the path; what is encoded more often is not carried.
    private static let maximumLayers = 4

    /// The address, or the home page for one that cannot be carried.
    static func sanitize(_ wanted: String?, callbackPath: String) -> String {
        carried(wanted, callbackPath: callbackPath) ?? home
    }

    /// The address if a sign-in can carry it.
    ///
    /// - Parameter wanted: path and query as the browser sent them.
    package static func carried(_ wanted: String?, callbackPath: String) -> String? {
        // A trailing space would be lost in the header field.
        guard let wanted, wanted.utf8.count <= maximumLength, hasNoControl(wanted),
            wanted.utf8.last != UInt8(ascii: " ")
        else { return nil }
        let path = wanted.utf8.prefix { $0 != UInt8(ascii: "?") }
        // nginx refuses a path with a '%' that encodes nothing.
        guard PercentEncoding.bytes(String(decoding: path, as: UTF8.self)) != nil else {
            return nil
        }
        // Some browsers and proxies decode twice, so every layer of encoding must be plain.
        var layer = Array(path)
        for _ in 0..<maximumLayers {
            guard isPlain(layer), String(validating: layer, as: UTF8.self) != nil,
                isOurs(layer, callbackPath: callbackPath)
            else { return nil }
            let decoded = PercentEncoding.decodingWhereValid(layer)
            if decoded == layer { return wanted }
            layer = decoded
        }
        return nil
    }

    /// The address that the browser is at, for a redirect to the same address again; `nil` if it
    /// could be read as another one.
    package static func unchanged(_ wanted: String) -> String? {
        let start = wanted.utf8.prefix(2)
        guard start.first == UInt8(ascii: "/"), hasNoControl(wanted),
            !start.elementsEqual("//".utf8), !start.elementsEqual("/\\".utf8)
        else { return nil }
        return wanted
    }

    private static func hasNoControl(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x1F && $0 != 0x7F }
    }

    /// Whether the bytes are a plain path: a slash, then a name or nothing; no control character, no
    /// backslash, and no segment `.` or `..`.
    private static func isPlain(_ path: [UInt8]) -> Bool {
        let slash = UInt8(ascii: "/")
        guard path.first == slash else { return false }
        guard path.allSatisfy({ $0 > 0x1F && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            return false
        }
        // What stands behind ';' is no part of the name to some programs.
        let names = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false).map {
            $0.prefix { $0 != UInt8(ascii: ";") }
        }
        // '//host' is another site. Further inside, nginx takes several slashes for one.
        guard path.count == 1 || names[0].contains(where: { $0 != 32 }) else { return false }
        // '/https://host' becomes another site where a program takes the first slash away.
        guard names[0].last != UInt8(ascii: ":") else { return false }
        return !names.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }

    /// Whether the path is none of siteauth's own pages, which would be a loop; the account page is
    /// allowed.
    ///
    /// Compared by bytes, as nginx and browsers do: in Swift, a slash and a combining accent are
    /// one Character.
    private static func isOurs(_ wanted: [UInt8], callbackPath: String) -> Bool {
        // nginx chooses the location after it has merged slashes.
        let path = wanted.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            .reduce(into: [UInt8]()) { path, byte in
                if byte != UInt8(ascii: "/") || path.last != byte { path.append(byte) }
            }
        if path.elementsEqual("/auth/account".utf8) { return true }
        let lowerCase = path.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        return !path.elementsEqual(callbackPath.utf8) && !lowerCase.starts(with: "/auth/".utf8)
            && !lowerCase.elementsEqual("/auth".utf8)
    }
}
