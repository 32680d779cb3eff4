import Testing

@testable import RelyingParty

/// What somebody who has the cookie secret may seal: it is read, or refused, and ends no process.
@Suite struct SealedFieldTests {
    private static func browser(rounds: UInt8, windowStart: Int) -> Browser? {
        var browser = Browser(id: Array(repeating: 7, count: 16), at: windowStart)
        browser.rounds = rounds
        return Browser(browser.bytes)
    }

    @Test(arguments: [0, 3, 254, 255] as [UInt8])
    func `rounds are counted up to a limit`(rounds: UInt8) throws {
        var browser = try #require(Self.browser(rounds: rounds, windowStart: 1_800_000_000))
        browser.countRound(after: nil, at: 1_800_000_001, within: 120)
        #expect(browser.rounds == (rounds == 0 ? 3 : rounds == 3 ? 6 : 9))
    }

    @Test(arguments: [Int.min, -1, 253_402_300_800, Int.max])
    func `a date with which sums overflow is none`(date: Int) {
        #expect(Self.browser(rounds: 0, windowStart: date) == nil)
        var session = Session.sample(tenant: "t", object: "o", name: "n")
        #expect(Session(session.bytes) == session)
        session.startedAt = date
        #expect(Session(session.bytes) == nil)
        let state = SignInState(
            id: Array(repeating: 7, count: 16),
            browser: Browser(id: [1], at: 0),
            returnPath: "/",
            startedAt: date,
            retries: 0
        )
        #expect(SignInState(state.bytes) == nil)
    }
}
