/// The number of tasks that run at once.
public enum ConcurrencyLimit {
    @TaskLocal public static var count = Host.processors
}

extension Array where Element: Sendable {
    /// Transforms every element, on as many cores as ``ConcurrencyLimit`` allows, and keeps the
    /// order.
    public func concurrentMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Result
    ) async -> [Result] {
        // Pieces are small, so that a slow one at the end does not leave the other cores idle.
        let size = Swift.max(1, Swift.min(64, count / 32))
        return await withTaskGroup(of: (Int, [Result]).self) { group in
            var starts = stride(from: 0, to: count, by: size).makeIterator()
            func addNext() {
                guard let start = starts.next() else { return }
                group.addTask {
                    (start, self[start..<Swift.min(start + size, count)].map(transform))
                }
            }
            for _ in 0..<Swift.max(1, ConcurrencyLimit.count) { addNext() }
            var pieces: [(Int, [Result])] = []
            while let piece = await group.next() {
                pieces.append(piece)
                addNext()
            }
            return pieces.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }
}

extension Range<Int> {
    /// Transforms every index as ``Swift/Array/concurrentMap(_:)`` does, with indices of one kind
    /// next to each other, so that values cached for a kind are computed once.
    ///
    /// - Returns: in the order of the indices.
    public func concurrentMap<Result: Sendable>(
        sortedBy kind: (Int) -> String,
        _ transform: @escaping @Sendable (Int) -> Result
    ) async -> [Result] {
        let kinds = map(kind)
        let order = sorted { (kinds[$0 - lowerBound], $0) < (kinds[$1 - lowerBound], $1) }
        let results = await order.concurrentMap(transform)
        return zip(order, results).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
