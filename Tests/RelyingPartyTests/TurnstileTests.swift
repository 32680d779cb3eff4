import Testing

@testable import RelyingParty

@Suite struct TurnstileTests {
    @Test func `so many are inside at once, and others are turned away`() throws {
        let turnstile = Turnstile(capacity: 2)
        let result = turnstile.pass {
            turnstile.pass { turnstile.pass { 3 } == nil && turnstile.pass { 3 } == nil }
        }
        #expect(result == .some(.some(true)))
        // Whoever was turned away takes no place.
        #expect(turnstile.pass { 1 } == 1)
    }

    @Test func `whoever fails has left`() {
        struct Failure: Error {}
        let turnstile = Turnstile(capacity: 1)
        for _ in 0..<3 {
            #expect(throws: Failure.self) { try turnstile.pass { throw Failure() } }
        }
        #expect(turnstile.pass { 1 } == 1)
    }
}
