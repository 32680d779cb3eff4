/// Values that cost time to make and memory to keep: those used last stay, up to a total cost.
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
        uses += 1
        entries[key]?.lastUse = uses
        return entries[key]?.value
    }

    /// Keeps a value, and lets go of others where the limit is passed.
    mutating func keep(_ value: Value, for key: Key, cost newCost: Int) {
        uses += 1
        cost -= entries[key]?.cost ?? 0
        entries[key] = Entry(value: value, cost: newCost, lastUse: uses)
        cost += newCost
        guard cost > limit else { return }
        // Half of it at once, so that the search for the oldest is not made for each new value.
        for (old, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse })
        where cost > limit / 2 && old != key {
            entries[old] = nil
            cost -= entry.cost
        }
    }
}
