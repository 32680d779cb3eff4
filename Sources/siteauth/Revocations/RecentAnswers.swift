/// What Redis has said about sessions a moment ago.
///
/// An answer is reused for three quarters of a second, so that a page and its images cost one round
/// trip. With the time for asking, a session that another machine ends stays valid for a second at
/// most.
struct RecentAnswers {
    /// Nanoseconds for which an answer is reused.
    static let life: UInt64 = 750_000_000
    private static let maximum = 10_000

    private var answers: [String: (dates: [Int?], at: UInt64)] = [:]
    /// Counts how often all answers were forgotten.
    private(set) var round = 0

    func dates(of session: String, at now: UInt64) -> [Int?]? {
        answers[session].flatMap { now < $0.at + Self.life ? $0.dates : nil }
    }

    /// - Parameters:
    ///   - round: the round in which the question was asked. The answer to an earlier one may lack
    ///     the entry that ended that round.
    ///   - time: when the question was asked, not when the answer came.
    mutating func keep(_ dates: [Int?], of session: String, askedIn round: Int, at time: UInt64) {
        guard round == self.round else { return }
        if answers.count >= Self.maximum { answers.removeAll() }
        answers[session] = (dates, time)
    }

    /// Forgets all answers, because this machine has made an entry.
    mutating func forget() {
        round += 1
        answers.removeAll()
    }
}
