import Jansson
import POSIX

/// The times at which links were last found alive.
///
/// Dead links are not cached, so that a repaired link is noticed at once.
struct ExternalLinkCache: Sendable, Equatable {
    /// Seconds since 1970, by URL.
    private(set) var times: [String: Int] = [:]

    /// A damaged cache is an empty one.
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

    /// Keeps only the entries of the last `seconds`.
    mutating func forget(olderThan seconds: Int, now: Int) {
        // A time in the future comes from a wrong clock.
        times = times.filter { $0.value <= now && $0.value > now - seconds }
    }

    func knows(_ address: ExternalAddress) -> Bool { times[address.text] != nil }

    mutating func note(_ address: ExternalAddress, at now: Int) { times[address.text] = now }
}
