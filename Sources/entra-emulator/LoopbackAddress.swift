import ArgumentParser

/// Where the emulator listens: on this machine alone.
enum LoopbackAddress: Sendable {
    case ipv4(String)
    case ipv6

    /// The addresses that a `--host` means.
    static func all(_ host: String) throws(ValidationError) -> [LoopbackAddress] {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        switch host {
        case "localhost": return [.ipv4("127.0.0.1"), .ipv6]
        case "::1", "[::1]": return [.ipv6]
        default:
            guard numbers.count == 4, numbers[0] == "127", numbers.allSatisfy({ UInt8($0) != nil })
            else {
                throw ValidationError(
                    "'--host' is '\(host)'; the emulator signs anybody in as anybody, so it listens"
                        + " on this machine alone: '127.0.0.1', '::1' or 'localhost'"
                )
            }
            return [.ipv4(host)]
        }
    }
}
