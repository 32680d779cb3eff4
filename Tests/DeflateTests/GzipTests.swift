import Deflate
import Fixtures
import Foundation
import Testing

@Suite struct GzipTests {
    private static let texts: [[UInt8]] = [
        [], [0], Array("a page".utf8),
        Array(String(repeating: "words and words ", count: 5000).utf8),
        (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) },
    ]

    @Test(arguments: texts) func `gzip itself reads what was written`(_ text: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Gzip.compress(text), "text.gz")
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/bin/gzip")
        gzip.arguments = ["-dc", file]
        let output = Pipe()
        gzip.standardOutput = output
        try gzip.run()
        let read = try output.fileHandleForReading.readToEnd() ?? Data()
        gzip.waitUntilExit()
        #expect(gzip.terminationStatus == 0)
        #expect(Array(read) == text)
    }

    @Test func `the same bytes give the same file, and another's is told from it`() {
        for text in Self.texts {
            let file = Gzip.compress(text)
            #expect(Gzip.compress(text) == file)
            #expect(Gzip.isCompressed(file, from: text))
            #expect(!Gzip.isCompressed(file, from: text + [1]))
            #expect(text.isEmpty || !Gzip.isCompressed(file, from: text.dropLast()))
            #expect(!Gzip.isCompressed(file + [0], from: text))
            #expect(!Gzip.isCompressed(Array(file.dropLast()) + [1], from: text))
            // With a time in its header, as the command writes it.
            var other = file
            other[4] = 1
            #expect(!Gzip.isCompressed(other, from: text))
        }
        #expect(!Gzip.isCompressed([], from: []))
    }

    @Test func `another text is told from it whose checksum and length are right`() {
        let (text, other) = (Array("a page of us".utf8), Array("a page of me".utf8))
        let forged = Gzip.compress(other).dropLast(8) + Gzip.compress(text).suffix(8)
        #expect(!Gzip.isCompressed(Array(forged), from: text))
        let twice = Gzip.compress(text).dropLast(8) + Gzip.compress(text)
        #expect(!Gzip.isCompressed(Array(twice), from: text))
    }
}
