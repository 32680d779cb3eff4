/// Changes that belong together: an editor writes three files to save one, git hundreds.
struct Debouncer {
    /// How long nothing has to happen.
    static let quietMilliseconds = 30
    /// Whoever never stops writing still sees something.
    static let longestMilliseconds = 500

    private let startMilliseconds: Int
    private var lastMilliseconds: Int

    /// - Parameter now: milliseconds of a clock that only runs forward.
    init(startingAt now: Int) {
        startMilliseconds = now
        lastMilliseconds = now
    }

    mutating func add(at now: Int) { lastMilliseconds = now }

    /// How long to wait for more; `nil` where the burst is over.
    func waiting(at now: Int) -> Int? {
        let end = min(
            lastMilliseconds + Self.quietMilliseconds,
            startMilliseconds + Self.longestMilliseconds
        )
        return now < end ? end - now : nil
    }
}
