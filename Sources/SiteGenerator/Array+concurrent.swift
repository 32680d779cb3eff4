import POSIX

/// How many pieces of work go on at once.
enum Jobs {
    @TaskLocal static var count = Host.processors
}

extension Array where Element: Sendable {
    /// Transforms every element, on as many cores as ``Jobs`` says, and keeps the order.
    func concurrentMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) -> Result
    ) async -> [Result] {
        // Small enough pieces that a slow one at the end does not leave the other cores idle.
        let size = Swift.max(1, Swift.min(64, count / 32))
        return await withTaskGroup(of: (Int, [Result]).self) { group in
            var starts = stride(from: 0, to: count, by: size).makeIterator()
            func addNext() {
                guard let start = starts.next() else { return }
                group.addTask {
                    (start, self[start..<Swift.min(start + size, count)].map(transform))
                }
            }
            for _ in 0..<Swift.max(1, Jobs.count) { addNext() }
            var pieces: [(Int, [Result])] = []
            while let piece = await group.next() {
                pieces.append(piece)
                addNext()
            }
            return pieces.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }
}
