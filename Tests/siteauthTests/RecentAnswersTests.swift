import Testing

@testable import siteauth

struct RecentAnswersTests {
    @Test func `an answer is reused for three quarters of a second after the question`() {
        var answers = RecentAnswers()
        answers.keep([nil, 7], of: "a", askedIn: 0, at: 1_000_000_000)
        #expect(answers.dates(of: "a", at: 1_749_999_999) == [nil, 7])
        #expect(answers.dates(of: "a", at: 1_750_000_000) == nil)
        #expect(answers.dates(of: "b", at: 1_000_000_000) == nil)
    }

    @Test func `an answer from before an entry is not kept after it`() {
        var answers = RecentAnswers()
        answers.keep([nil], of: "a", askedIn: 0, at: 0)
        let round = answers.round
        answers.forget()
        #expect(answers.dates(of: "a", at: 0) == nil)
        answers.keep([nil], of: "a", askedIn: round, at: 0)
        #expect(answers.dates(of: "a", at: 0) == nil)
        answers.keep([nil], of: "a", askedIn: answers.round, at: 0)
        #expect(answers.dates(of: "a", at: 0) == [nil])
    }

    @Test func `many sessions do not fill the memory`() {
        var answers = RecentAnswers()
        for number in 0...10_000 { answers.keep([], of: "\(number)", askedIn: 0, at: 0) }
        #expect(answers.dates(of: "10000", at: 0) == [] && answers.dates(of: "0", at: 0) == nil)
    }
}
