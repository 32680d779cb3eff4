import Jansson
import POSIX

/// When each address was last found alive.
///
/// Only good news is kept: whoever mends a link, or the site behind it, sees it at once.
struct ExternalLinkCache: Sendable, Equatable {
    /// Seconds since 1970, by address.
    private(set) var times: [String: Int] = [:]

    /// What is no cache, or was damaged, is an empty one.
    init(parsing bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), json["version"]?.integer == 1,
            let alive = json["alive"]?.members
        else { return }
        for name in alive.names { times[name] = alive[name]?.integer }
    }

    init(readingFrom path: String?) {
        self.init(parsing: path.flatMap { try? File.read($0) } ?? [])
    }

    var text: String {
        let lines = times.sorted { $0.key < $1.key }.map { address, time in
            "\n\(JSON.string(address).text):\(time)"
        }
        return "{\"version\":1,\"alive\":{\(lines.joined(separator: ","))\n}}\n"
    }

    /// Leaves only what was asked within the last `seconds`.
    mutating func forget(olderThan seconds: Int, now: Int) {
        // A time to come is one of a clock that was wrong.
        times = times.filter { $0.value <= now && now - $0.value < seconds }
    }

    func knows(_ address: ExternalAddress) -> Bool { times[address.text] != nil }

    mutating func note(_ address: ExternalAddress, at now: Int) { times[address.text] = now }
}
