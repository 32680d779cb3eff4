extension SitePathName {
    /// Resolves `path` relative to the file `base`; `nil` if it is outside the source folder.
    package static func join(_ path: String, to base: String) -> String? {
        if path.isEmpty { return "" }
        if isASCII(path), isASCII(base) { return join(path.utf8.span, to: base.utf8.span) }
        var segments: [Substring] = path.hasPrefix("/") ? [] : base.split(separator: "/").dropLast()
        for segment in path.split(separator: "/") {
            if segment == ".." {
                if segments.popLast() == nil { return nil }
            } else if segment != "." {
                segments.append(segment)
            }
        }
        // The path is that of the source folder.
        return segments.isEmpty ? "/" : segments.joined(separator: "/")
    }

    /// The same for ASCII, where bytes are characters.
    private static func join(_ path: Span<UInt8>, to base: Span<UInt8>) -> String? {
        let slash = UInt8(ascii: "/")
        var joined: [UInt8] = []
        joined.reserveCapacity(base.count + path.count)
        if path[0] != slash {
            var end = base.count
            while end > 0, base[end - 1] != slash { end -= 1 }
            for index in 0..<max(end - 1, 0) { joined.append(base[index]) }
        }
        var start = 0
        for index in 0...path.count where index == path.count || path[index] == slash {
            defer { start = index + 1 }
            let count = index - start
            let isDots = (start..<index).allSatisfy { path[$0] == UInt8(ascii: ".") }
            if count == 2, isDots {
                if joined.isEmpty { return nil }
                joined.removeSubrange((joined.lastIndex(of: slash) ?? 0)...)
            } else if count > 1 || !isDots {
                if !joined.isEmpty { joined.append(slash) }
                for index in start..<index { joined.append(path[index]) }
            }
        }
        return joined.isEmpty ? "/" : String(decoding: joined, as: UTF8.self)
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
}
