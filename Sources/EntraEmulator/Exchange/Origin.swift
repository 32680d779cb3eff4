/// Scheme, host and port of the emulator.
///
/// Every client of the emulator can sign in as anybody, so it serves this machine only.
public struct Origin: Sendable, Equatable {
    /// `http` or `https`.
    public let scheme: String
    /// In lower case.
    public let host: String
    /// The port with its colon, or empty.
    public let port: String

    /// Reads `http://localhost:8081`.
    ///
    /// - Returns: `nil` unless the host is certainly this machine.
    public init?(_ url: String) {
        guard let start = ["http://", "https://"].first(where: url.hasPrefix) else { return nil }
        self.init(scheme: String(start.dropLast(3)), authority: String(url.dropFirst(start.count)))
    }

    /// - Parameter authority: host and port, as a `Host` field has them.
    init?(scheme: String, authority: String) {
        let authority = authority.lowercased()
        var host = authority.prefix { $0 != ":" }
        if authority.hasPrefix("[") { host = authority.prefix { $0 != "]" } + "]" }
        let port = authority.dropFirst(host.count)
        guard Self.isLoopback(host),
            port.isEmpty || (port.first == ":" && Self.isNumber(port.dropFirst(), UInt16.self))
        else { return nil }
        self.scheme = scheme
        self.host = String(host)
        self.port = String(port)
    }

    private init(scheme: String, host: String, port: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    public var text: String { "\(scheme)://\(host)\(port)" }

    /// The emulator's name for one of Microsoft's hosts, with `.localhost` behind it.
    func at(_ host: String) -> Origin {
        Origin(scheme: scheme, host: "\(host).localhost", port: port)
    }

    /// RFC 6761, section 6.3: names below `localhost` mean this machine as well.
    ///
    /// The emulator shares no check with siteauth: siteauth's tests would miss a shared mistake.
    private static func isLoopback(_ host: Substring) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        if host.hasSuffix(".localhost") {
            return host.utf8.allSatisfy { byte in
                let character = Character(Unicode.Scalar(byte))
                return byte < 128
                    && (character.isLetter || character.isNumber || "-.".contains(character))
            }
        }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { isNumber($0, UInt8.self) }
    }

    /// Digits only; a number's initializer would also accept a sign.
    private static func isNumber(
        _ text: Substring,
        _ type: (some FixedWidthInteger).Type
    ) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && type.init(text) != nil
    }
}
