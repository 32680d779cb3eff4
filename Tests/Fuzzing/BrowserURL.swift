/// Where a browser goes for a text, as the URL Standard has it (sections 4.1 to 4.4), as far as
/// `http` and `https` are concerned; written anew, so that our own reading of URLs is not its judge.
struct BrowserURL {
    /// Scheme, host and port; `nil` for a scheme that has no origin, such as `javascript:`.
    let origin: String?
    let host: String
    /// Segments as written, without `.` and `..`.
    let path: [String]

    /// The path up to the query, beginning with a slash.
    var pathText: String { "/" + path.joined(separator: "/") }

    /// - Parameters:
    ///   - text: a URL, or a reference to be resolved.
    ///   - base: the origin of the page with the reference, `https://host`.
    /// - Returns: `nil` where the browser refuses the text.
    init?(_ text: [UInt8], base: String) {
        var bytes = text[...]
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        var rest = bytes.filter { $0 != 9 && $0 != 10 && $0 != 13 }[...]
        if let colon = Self.endOfScheme(rest) {
            let scheme = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
            guard ["http", "https"].contains(scheme) else {
                (origin, host, path) = (nil, "", [])
                return
            }
            rest = rest[(colon + 1)...]
            // 'https:path' is relative to a base of the same scheme.
            let slashes = rest.prefix { Self.isSlash($0) }
            if !slashes.isEmpty || !base.hasPrefix("\(scheme):") {
                rest = rest[slashes.endIndex...]
                guard let authority = Self.authority(&rest) else { return nil }
                (origin, host) = ("\(scheme)://\(authority.text)", authority.host)
                path = Self.segments(rest)
                return
            }
        } else if rest.count > 1, Self.isSlash(rest.first), Self.isSlash(rest.dropFirst().first) {
            rest = rest.drop { Self.isSlash($0) }
            guard let authority = Self.authority(&rest) else { return nil }
            let scheme = base.prefix { $0 != ":" }
            (origin, host) = ("\(scheme)://\(authority.text)", authority.host)
            path = Self.segments(rest)
            return
        }
        origin = base
        host = String(base.drop { $0 != "/" }.dropFirst(2).prefix { $0 != ":" })
        path = Self.segments(rest)
    }

    private static func isSlash(_ byte: UInt8?) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }

    private static func endOfScheme(_ text: ArraySlice<UInt8>) -> Int? {
        guard let first = text.first, (97...122).contains(first | 0x20) else { return nil }
        let end = text.firstIndex { byte in
            !((97...122).contains(byte | 0x20) || (48...57).contains(byte)
                || "+-.".utf8.contains(byte))
        }
        guard let end, text[end] == UInt8(ascii: ":") else { return nil }
        return end
    }

    private static func authority(_ rest: inout ArraySlice<UInt8>) -> (text: String, host: String)?
    {
        let all = rest.prefix { !isSlash($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        rest = rest[all.endIndex...]
        let start = all.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? all.startIndex
        let text = String(decoding: all[start...], as: UTF8.self).lowercased()
        let isLiteral = text.hasPrefix("[")
        let host =
            isLiteral
            ? String(text.prefix { $0 != "]" }) + "]" : String(text.prefix { $0 != ":" })
        let port = text.dropFirst(host.count)
        guard !host.isEmpty, isLiteral == text.contains("]"), port.isEmpty || port.first == ":",
            port.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
            !host.utf8.contains(where: { $0 <= 0x20 || "<>^|%\\".utf8.contains($0) })
        else { return nil }
        return (text, host)
    }

    private static func segments(_ text: ArraySlice<UInt8>) -> [String] {
        let path = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var segments: [String] = []
        let parts = (isSlash(path.first) ? path.dropFirst() : path)
            .split(omittingEmptySubsequences: false) { isSlash($0) }
        for (index, part) in parts.enumerated() {
            let segment = String(decoding: part, as: UTF8.self)
            let plain = segment.lowercased().replacing("%2e", with: ".")
            let isLast = index == parts.count - 1
            if plain == ".." {
                if !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append("") }
            } else if plain == "." {
                if isLast { segments.append("") }
            } else {
                segments.append(segment)
            }
        }
        return segments
    }
}
