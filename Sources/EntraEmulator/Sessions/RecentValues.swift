/// A dictionary that forgets its oldest values, because clients can create any number of them.
struct RecentValues<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        /// The number of the addition, because a removed text may be added again.
        let number: Int
    }

    /// At least this many values are kept, and at most twice as many.
    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var order: [(text: String, number: Int)] = []
    private var additions = 0

    init(limit: Int) { self.limit = limit }

    /// Reads, changes or adds a value; `nil` removes it.
    subscript(text: String) -> Value? {
        get { entries[text]?.value }
        set {
            guard let newValue else {
                entries[text] = nil
                return
            }
            guard entries[text] == nil else {
                entries[text]?.value = newValue
                return
            }
            if order.count >= 2 * limit { forgetOldest() }
            additions += 1
            entries[text] = Entry(value: newValue, number: additions)
            order.append((text, additions))
        }
    }

    var keys: [String] { Array(entries.keys) }

    private mutating func forgetOldest() {
        for (text, number) in order.prefix(limit) where entries[text]?.number == number {
            entries[text] = nil
        }
        order.removeFirst(limit)
    }
}
