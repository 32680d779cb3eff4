import Bytes
import Testing

@Suite struct SpanTests {
    @Test func `a byte is found at or after a position`() {
        let bytes: [UInt8] = [1, 2, 3, 2]
        #expect(bytes.span.position(of: 2) == 1)
        #expect(bytes.span.position(of: 2, from: 1) == 1)
        #expect(bytes.span.position(of: 2, from: 2) == 3)
        #expect(bytes.span.position(of: 1, from: 1) == 4)
        #expect(bytes.span.position(of: 1, from: 9) == 4)
        #expect([UInt8]().span.position(of: 0) == 0)
    }

    @Test func `a text stands where all its bytes do`() {
        let bytes = Array("<span>".utf8)
        let found = [
            bytes.span.has("<span>", at: 0), bytes.span.has("an>", at: 3),
            bytes.span.has("an> ", at: 3), bytes.span.has("<", at: 6), bytes.span.has("<", at: -1),
        ]
        #expect(found == [true, true, false, false, false])
    }

    @Test func `texts are appended`() {
        var bytes: [UInt8] = []
        bytes.append(copying: [UInt8]().span)
        bytes.append("ab")
        let copy = bytes
        bytes.append(copying: copy.span.extracting(1..<2))
        #expect(bytes == Array("abb".utf8))
    }

    @Test func `eight bytes are a number, the first one lowest`() {
        let bytes = Array("abcdefghi".utf8)
        let word = bytes.span.word(at: 1)
        #expect(word == 0x6968_6766_6564_6362)
    }

    @Test func `letters and spaces are counted as one by one`() {
        for byte in UInt8.min...UInt8.max {
            let isWord = byte.isLetter || byte == .space
            for position in 0..<8 {
                let word = (0..<8).reduce(UInt64(0)) { word, index in
                    let other = index < position ? UInt8(ascii: " ") : UInt8(ascii: "~")
                    return word | UInt64(index == position ? byte : other) << UInt64(8 * index)
                }
                let found = word.leadingWords
                #expect(found == (isWord ? position + 1 : position))
            }
        }
    }
}
