import Deflate
import Testing

@Suite struct DeflateTests {
    private static let text = Array(String(repeating: "words and words ", count: 5000).utf8)

    @Test func `data is read back if its size is known`() {
        let data = Deflate.compress(Self.text[...])
        #expect(data.count < 1000)
        #expect(Deflate.decompress(data, size: Self.text.count) == Self.text)
        #expect(Deflate.decompress(Deflate.compress([]), size: 0) == [])
    }

    @Test func `data that becomes more or less than was said, or goes on, is refused`() {
        let data = Deflate.compress(Self.text[...])
        for size in [0, 1, Self.text.count - 1, Self.text.count + 1, 2 * Self.text.count] {
            #expect(Deflate.decompress(data, size: size) == nil)
        }
        #expect(Deflate.decompress(data + [0], size: Self.text.count) == nil)
        #expect(Deflate.decompress(Array(data.dropLast()), size: Self.text.count) == nil)
        #expect(Deflate.decompress([], size: 10) == nil)
    }
}
