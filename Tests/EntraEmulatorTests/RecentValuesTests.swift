import Testing

@testable import EntraEmulator

@Suite struct RecentValuesTests {
    @Test func `the newest are kept, however many there are`() {
        var values = RecentValues<Int>(limit: 10)
        for number in 0..<1000 {
            values["\(number)"] = number
            // What is changed or taken away and added again needs no room of its own.
            values["\(number)"]? += 1
            #expect(values.keys.count <= 20)
        }
        #expect((991..<1000).allSatisfy { values["\($0)"] == $0 + 1 })
        #expect(values["900"] == nil)
    }

    @Test func `what is taken away is gone, and may come back`() {
        var values = RecentValues<Int>(limit: 2)
        for _ in 0..<100 {
            values["a"] = 1
            values["a"] = nil
        }
        #expect(values["a"] == nil && values.keys.isEmpty)
        values["a"] = 2
        // What was forgotten is its first addition, not this one.
        for number in 0..<2 { values["\(number)"] = number }
        #expect(values["a"] == 2)
    }
}
