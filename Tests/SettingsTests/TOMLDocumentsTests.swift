import Testing

@testable import Settings

/// The reader against a second implementation, Python's `tomllib`: random documents, and what that
/// made of them.
@Suite struct TOMLDocumentsTests {
    @Test func `tomllib and we read the same`() throws {
        let documents = try ComparedDocument.read()
        #expect(documents.count >= 2000)
        // Neither side may refuse, or accept, nearly everything.
        let accepted = documents.filter { $0.verdict != "-" }.count
        #expect(accepted > documents.count / 5 && accepted < documents.count * 4 / 5)
        var shown = 0
        for document in documents {
            // The reader gets text, see `SettingsFile`.
            let isText = String(validating: document.bytes, as: UTF8.self) != nil
            let read = TOMLDocument(document.bytes)
            let verdict = isText ? ComparedDocument.verdict(read) : "-"
            if verdict == document.verdict { continue }
            shown += 1
            if shown > 20 { break }
            let text = String(decoding: document.bytes, as: UTF8.self)
            Issue.record(
                "\(text.debugDescription)\ntomllib: \(document.verdict)\nwe: \(verdict)\n\(read.mistakes)"
            )
        }
    }
}
