extension Array where Element: Sendable {
    /// Transforms every element, on all cores, and keeps the order.
    func concurrentMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Result
    ) async -> [Result] {
        // Small enough pieces that a slow one at the end does not leave the other cores idle.
        let size = Swift.max(1, Swift.min(64, count / 32))
        return await withTaskGroup(of: (Int, [Result]).self) { group in
            for start in stride(from: 0, to: count, by: size) {
                group.addTask {
                    (start, self[start..<Swift.min(start + size, count)].map(transform))
                }
            }
            var pieces: [(Int, [Result])] = []
            for await piece in group { pieces.append(piece) }
            return pieces.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }
}
