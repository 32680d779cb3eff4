/// An address of this machine, for servers that no other machine may reach.
public enum LoopbackAddress: Sendable, Equatable {
    /// An address of the network 127.0.0.0/8 (RFC 1122, section 3.2.1.3).
    case ipv4(String)
    case ipv6

    /// All addresses of this machine.
    ///
    /// Other machines can connect, so that a server has to recognise its clients. It is for
    /// containers, whose loopback interface nobody outside can reach.
    public static let everywhere = LoopbackAddress.ipv4("0.0.0.0")

    /// The loopback addresses of a host, or `nil` if the host may be another machine.
    public static func all(_ host: String) -> [LoopbackAddress]? {
        switch host.lowercased() {
        case "localhost": [.ipv4("127.0.0.1"), .ipv6]
        case "::1", "[::1]": [.ipv6]
        default: isIPv4(host) ? [.ipv4(host)] : nil
        }
    }

    /// Four plain decimal numbers: programs disagree about other spellings, such as `127.0.0.01`.
    private static func isIPv4(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { number in UInt8(number).map { "\($0)" == number } ?? false }
    }
}
