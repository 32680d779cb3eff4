import Synchronization

/// Counts durations in buckets; any thread may add one at any time.
final class Histogram: Sendable {
    /// The upper bounds of the buckets in nanoseconds; longer durations count in no bucket.
    let bounds: [UInt64]
    private let buckets: [Counter]
    private let sum = Counter()
    private let count = Counter()

    init(boundsInMicroseconds bounds: [UInt64]) {
        self.bounds = bounds.map { $0 * 1000 }
        buckets = bounds.map { _ in Counter() }
    }

    func add(nanoseconds: UInt64) {
        if let index = bounds.firstIndex(where: { nanoseconds <= $0 }) { buckets[index].add() }
        sum.add(nanoseconds)
        count.add()
    }

    /// Writes the series of one histogram.
    ///
    /// - Parameter labels: `name="value"`, commas between them.
    func write(_ name: String, labels: String = "", to text: inout MetricsText) {
        var total: UInt64 = 0
        let start = labels.isEmpty ? "" : labels + ","
        for (bound, bucket) in zip(bounds, buckets) {
            total += bucket.value
            let end = MetricsText.seconds(nanoseconds: bound)
            text.add("\(name)_bucket", "\(start)le=\"\(end)\"", "\(total)")
        }
        // The total is read last, so that it is never smaller than a bucket.
        let all = max(count.value, total)
        text.add("\(name)_bucket", "\(start)le=\"+Inf\"", "\(all)")
        text.add("\(name)_sum", labels, MetricsText.seconds(nanoseconds: sum.value))
        text.add("\(name)_count", labels, "\(all)")
    }
}

/// A number that only grows.
final class Counter: Sendable {
    private let number = Atomic<UInt64>(0)

    var value: UInt64 { number.load(ordering: .relaxed) }

    func add(_ count: UInt64 = 1) { number.wrappingAdd(count, ordering: .relaxed) }
}
