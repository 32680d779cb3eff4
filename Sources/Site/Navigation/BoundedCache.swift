/// A cache with a limit on the total cost of its values; those used last stay.
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        let cost: Int
        var lastUse: Int
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private(set) var cost = 0
    private var uses = 0

    init(limit: Int) { self.limit = limit }

    mutating func value(for key: Key) -> Value? {
        guard let index = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[index].lastUse = uses
        return entries.values[index].value
    }

    /// Adds a value, and removes old ones if the limit is exceeded.
    mutating func keep(_ value: Value, for key: Key, cost newCost: Int) {
        uses += 1
        cost -= entries[key]?.cost ?? 0
        entries[key] = Entry(value: value, cost: newCost, lastUse: uses)
        cost += newCost
        guard cost > limit else { return }
        // Half of the cost is removed at once, so that the sorting is rarely needed.
        for (old, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
        where cost > limit / 2 && old != key {
            entries[old] = nil
            cost -= entry.cost
        }
    }
}
