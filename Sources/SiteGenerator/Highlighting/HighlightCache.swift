import OpenSSL
import POSIX

/// Answers of earlier builds, by language and code.
///
/// The first line of the file identifies the highlighter. For each answer follow a line `KEY CHECK
/// LENGTH` and the answer. Damaged entries are asked again.
struct HighlightCache: Sendable {
    private struct Entry {
        let check: String
        let text: ArraySlice<UInt8>
    }

    /// The highlighter that answered; `nil` if it is unknown, or not the one of this machine.
    let identity: HighlighterIdentity?
    private var entries: [String: Entry] = [:]

    /// The maximum ratio of entries to used entries.
    private static let spare = 2

    /// - Parameter script: the worker's program.
    init(parsing bytes: [UInt8], script: [UInt8]) {
        let newline = UInt8(ascii: "\n")
        let lineEnd = bytes.firstIndex(of: newline) ?? bytes.endIndex
        let line = String(decoding: bytes[..<lineEnd], as: UTF8.self)
        identity = HighlighterIdentity.current(line, script: script)
        guard identity != nil else { return }
        var rest = bytes[lineEnd...].dropFirst()
        while let end = rest.firstIndex(of: newline) {
            let fields = rest[..<end].split(separator: UInt8(ascii: " ")).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard fields.count == 3, let count = Int(fields[2]), count >= 0,
                count < rest.endIndex - end - 1, rest[end + 1 + count] == newline
            else { return }
            entries[fields[0]] = Entry(check: fields[1], text: rest[(end + 1)..<(end + 1 + count)])
            rest = rest[(end + 1 + count)...].dropFirst()
        }
    }

    init(readingFrom path: String, script: [UInt8]) {
        self.init(parsing: (try? File.read(path)) ?? [], script: script)
    }

    /// The answer to a block, verified like an answer of the worker.
    func answer(to code: PlainCode) -> HighlightAnswer? {
        guard let entry = entries[code.key], Self.check(code.key, entry.text) == entry.check
        else { return nil }
        return HighlightAnswer(reading: entry.text, of: code)
    }

    /// The new content of the file after a build, or `nil` if the current file can stay.
    ///
    /// - Parameters:
    ///   - used: the blocks of the build, without duplicates.
    ///   - answers: the worker's new answers, in the order of the blocks.
    ///   - identity: the highlighter; answers of another one are dropped.
    ///   - mayForget: whether these are all blocks of the site.
    func file(
        after used: [PlainCode],
        answers: [HighlightAnswer?],
        of identity: HighlighterIdentity,
        mayForget: Bool = true
    ) -> [UInt8]? {
        let isSame = identity == self.identity
        var kept = isSame ? entries : [:]
        for (code, answer) in zip(used, answers) {
            guard let answer else { continue }
            let text = answer.text[...]
            kept[code.key] = Entry(check: Self.check(code.key, text), text: text)
        }
        let isCrowded = mayForget && kept.count > Self.spare * used.count
        if isSame, !isCrowded, answers.allSatisfy({ $0 == nil }) { return nil }
        if isCrowded {
            let keys = Set(used.map(\.key))
            kept = kept.filter { keys.contains($0.key) }
        }
        var bytes = Array("\(identity.text)\n".utf8)
        for (key, entry) in kept.sorted(by: { $0.key < $1.key }) {
            bytes += "\(key) \(entry.check) \(entry.text.count)\n".utf8
            bytes += entry.text
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// A checksum: a damaged answer with two classes exchanged would pass as valid HTML, but the
    /// page would differ from that of a clean build.
    private static func check(_ key: String, _ text: ArraySlice<UInt8>) -> String {
        Digest.hexadecimal(Digest.sha256(Array(key.utf8) + text).prefix(16))
    }
}
