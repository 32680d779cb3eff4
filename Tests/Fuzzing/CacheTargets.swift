import Markdown
import OpenSSL
import POSIX

@testable import SiteGenerator

/// The files of a build for the next one: damage costs time and changes no byte of the result.
enum CacheTargets {
    static let all: [String: FuzzTarget.Test] = [
        "record-log": recordLog, "build-index": buildIndex, "page-terms": pageTerms,
        "byte-coding": byteCoding,
    ]

    private static let folder = ScratchFolder()

    static func recordLog(_ bytes: [UInt8]) {
        let path = "\(folder.path)/records"
        try? File.remove(path)
        var input = FuzzInput(bytes)
        let damage = (0..<4).map { _ in (Int(input.byte()) << 4, input.byte()) }
        let (offset, count) = (number(&input), number(&input))
        var contents: [[UInt8]] = []
        var records: [RecordLog.Record] = []
        do {
            let log = RecordLog(at: path)
            while !input.rest.isEmpty {
                contents.append(input.part())
                records.append(log.append(contents[contents.count - 1]))
            }
            for (record, content) in zip(records, contents) {
                expect(log.read(record) == content, "what is written is read")
            }
            expect(log.flush(), "the records are in the file")
        }
        guard var file = try? File.read(path) else { return }
        for (position, change) in damage where !file.isEmpty {
            file[position % file.count] ^= change
        }
        if damage[0].1 & 1 == 1, !file.isEmpty { file.removeLast(damage[1].0 % file.count) }
        folder.write(file, "records")
        let log = RecordLog(at: path, isReadOnly: true)
        for (record, content) in zip(records, contents) {
            let read = log.read(record)
            expect(read == nil || read == content, "a damaged record is none")
        }
        // The place of a record may be anything.
        let somewhere = RecordLog.Record(offset: offset, count: count, check: 0)
        let read = log.read(somewhere)
        expect(read == nil, "no record has a wrong checksum")
    }

    /// A number that is small, or near the end of what a number can be.
    private static func number(_ input: inout FuzzInput) -> Int {
        let (kind, value) = (input.byte(), Int(input.byte()))
        switch kind % 4 {
        case 0: return value
        case 1: return Int.max - value
        case 2: return value << 20
        default: return -value
        }
    }

    private static let identity = BuildIdentity(SiteConfiguration())

    static func buildIndex(_ bytes: [UInt8]) {
        let path = "\(folder.path)/index"
        var writer = ByteWriter()
        writer.write(bytes: identity.bytes)
        folder.write(Digest.sha256(writer.bytes + bytes) + writer.bytes + bytes, "index")
        guard let index = BuildIndex(at: path, identity) else { return }
        expect(index.days.lowerBound <= index.days.upperBound, "days are in order")
        index.write(to: path, identity)
        guard var written = try? File.read(path) else { return }
        let again = BuildIndex(at: path, identity)
        expect(again != nil, "what is written is read")
        expect(again?.sources.map(\.path) == index.sources.map(\.path), "with its sources")
        expect(again?.pages.map(\.path) == index.pages.map(\.path), "with its pages")
        written[(Int(bytes.first ?? 0) * 7) % written.count] ^= 1 << (bytes.last ?? 0) % 8
        folder.write(written, "index")
        expect(BuildIndex(at: path, identity) == nil, "a damaged index is none")
    }

    static func pageTerms(_ bytes: [UInt8]) {
        let kept = PageTerms(kept: bytes[...])
        var count = 0
        kept.forEach { text, range, weight in
            count += 1
            expect(range.upperBound <= text.count, "a word is in the text")
            expect(weight.headings <= 3, "a weight has its limits")
        }
        expect(count <= bytes.count, "there are no more words than bytes")
        _ = kept.length
        // The words of any HTML are read as they were kept.
        let terms = PageTerms(bytes)
        let again = PageTerms(kept: terms.bytes)
        expect(words(of: again) == words(of: terms), "what is kept is read")
        expect(words(of: terms).allSatisfy { !$0.isEmpty }, "a word has letters")
    }

    private static func words(of terms: PageTerms) -> [String] {
        var words: [String] = []
        terms.forEach { text, range, weight in
            var bytes: [UInt8] = []
            for index in range { bytes.append(text[index]) }
            words.append("\(String(decoding: bytes, as: UTF8.self)) \(weight.packed)")
        }
        return words
    }

    static func byteCoding(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        let (number, text, slice) = (reader.number(), reader.text(), reader.slice())
        let list = reader.list { $0.range() }
        var writer = ByteWriter()
        if let number { writer.write(number) }
        if let text { writer.write(text) }
        if let slice { writer.write(bytes: slice) }
        if let list { writer.write(list) { $0.write($1) } }
        guard number != nil, text != nil, slice != nil, list != nil else { return }
        var again = ByteReader(writer.bytes[...])
        expect(again.number() == number, "a number")
        expect(again.text().map { Array($0.utf8) } == text.map { Array($0.utf8) }, "a text")
        expect(again.slice().map(Array.init) == slice.map(Array.init), "bytes")
        expect(again.list { $0.range() }?.count == list?.count, "a list")
        expect(again.isAtEnd, "and nothing else")
    }
}
