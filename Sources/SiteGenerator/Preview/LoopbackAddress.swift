/// Where a preview listens: on this machine alone.
public enum LoopbackAddress: Sendable, Equatable {
    case ipv4(String)
    case ipv6

    /// - Parameter host: as `--host` has it.
    public init(_ host: String) throws(CommandRefusal) {
        let name = host == "::1" ? "[::1]" : host.lowercased()
        guard LoopbackAuthority.isLoopback(name) else {
            throw CommandRefusal(
                "'--host' is '\(host)'; a preview shows confidential pages and listens on this "
                    + "machine alone: '127.0.0.1', '::1' or 'localhost'"
            )
        }
        self =
            switch name {
            case "[::1]": .ipv6
            case "localhost": .ipv4("127.0.0.1")
            default: .ipv4(name)
            }
    }
}
