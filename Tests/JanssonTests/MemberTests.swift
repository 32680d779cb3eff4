import Testing

@testable import Jansson

/// A member is absent, or of its type, or an error.
@Suite struct MemberTests {
    private static let others: [JSON] = [
        .null, "", 7, .number(1.5), true, [], [""], [7], [:], "a text", ["a text"], ["a": 1],
    ]

    private static func count<Value>(_ read: (JSON.Members) throws -> Value?) -> Int {
        others.count { other in
            var members = JSON.Members()
            members["a"] = other
            return (try? read(members)) != nil
        }
    }

    @Test func `what is of another type is an error, and null is of another type`() throws {
        #expect(Self.count { try $0.textIfPresent("a") } == 1)
        #expect(Self.count { try $0.explanationIfPresent("a") } == 2)
        #expect(Self.count { try $0.integerIfPresent("a") } == 1)
        #expect(Self.count { try $0.boolIfPresent("a") } == 1)
        #expect(Self.count { try $0.arrayIfPresent("a") } == 4)
        #expect(Self.count { try $0.textsIfPresent("a") } == 3)
        #expect(Self.count { try $0.objectIfPresent("a") } == 2)
        for wrong: JSON in [.null, "", 7, [], [:]] {
            var members = JSON.Members()
            members["a"] = wrong
            let expected = MemberError("a", .wrong(expected: "a text of 1 to 2048 bytes"))
            #expect(throws: expected) { try members.text("a") }
        }
    }

    @Test func `what is absent is none, and an error where it has to be there`() throws {
        let members: JSON.Members = ["b": "x"]
        #expect(try members.textIfPresent("a") == nil)
        #expect(try members.integerIfPresent("a") == nil)
        #expect(throws: MemberError("a", .missing)) { try members.text("a") }
        #expect(MemberError("a", .missing).description == "'a' is missing")
    }

    @Test func `a text has its longest length, a number its range`() throws {
        let members: JSON.Members = ["a": "漢字", "b": 5]
        #expect(try members.text("a", maximumBytes: 6) == "漢字")
        #expect(throws: MemberError.self) { try members.text("a", maximumBytes: 5) }
        #expect(try members.integerIfPresent("b", in: 0...5) == 5)
        #expect(throws: MemberError.self) { try members.integerIfPresent("b", in: 0...4) }
    }

    @Test func `who has no name to show may say so`() throws {
        for none: JSON in [.null, ""] {
            var members = JSON.Members()
            members["a"] = none
            #expect(try members.displayTextIfPresent("a") == nil)
        }
        #expect(throws: MemberError.self) {
            try (["a": 7] as JSON.Members).displayTextIfPresent("a")
        }
    }
}
