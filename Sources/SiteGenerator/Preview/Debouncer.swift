/// Waits until a burst of changes is over: an editor writes three files to save one, git hundreds.
struct Debouncer {
    /// The time without changes after which a burst is over.
    static let quietMilliseconds = 30
    /// The maximum duration of a burst, for programs that never stop writing.
    static let longestMilliseconds = 500

    private let startMilliseconds: Int
    private var lastMilliseconds: Int

    /// - Parameter now: milliseconds of a monotonic clock.
    init(startingAt now: Int) {
        startMilliseconds = now
        lastMilliseconds = now
    }

    mutating func add(at now: Int) { lastMilliseconds = now }

    /// How long to wait for further changes; `nil` if the burst is over.
    func waiting(at now: Int) -> Int? {
        let end = min(
            lastMilliseconds + Self.quietMilliseconds,
            startMilliseconds + Self.longestMilliseconds
        )
        return now < end ? end - now : nil
    }
}
