import Diagnostics

@testable import Site

/// Texts that include each other.
enum IncludeTargets {
    static let all: [String: FuzzTarget.Test] = ["includes": includes]

    /// The files of a site, of which one is secret: nothing names it.
    private struct Texts: IncludableTexts {
        let files: [String: [UInt8]]
        let folder = "docs"
        var isRead: Set<String> = []

        func has(_ path: String) -> Bool { files[path] != nil }
        func absence(of path: String) -> String { "no '\(path)'" }
        func paths(ofNote name: String, from path: String) -> [String] {
            files[name + ".md"] == nil ? [] : [name + ".md"]
        }

        mutating func read(
            _ path: String,
            at location: SourceLocation,
            maximumBytes: Int
        ) throws(IncludeRefusal) -> IncludableText {
            guard let text = files[path], text.count <= maximumBytes else {
                throw IncludeRefusal(message: "not here")
            }
            isRead.insert(path)
            return IncludableText(path: path, displayPath: path, text: text)
        }
    }

    /// The text of a page, of `a.md` and of `b/c.rs`.
    static func includes(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let texts = (0..<3).map { _ in DecodedText(input.part()).utf8 }
        let files = ["p.md": texts[0], "a.md": texts[1], "b/c.rs": texts[2]]
        let page = IncludableText(path: "p.md", displayPath: "p.md", text: texts[0], linesBefore: 3)
        let variables = TextVariables(site: ["name": "{{ name }} {{#include a.md}}"], page: [:])
        guard let made = TextExpansion(page, variables, Texts(files: files)) else { return }
        let text = made.text.bytes
        expect(String(validating: text, as: UTF8.self) != nil, "the text is UTF-8")
        expect(text.count <= (40 << 20) + texts[0].count, "it has its limit")
        expect(made.diagnostics.count <= 1002, "and so have the findings")
        let lines = files.mapValues { 1 + $0.count { $0 == 10 } }
        for (number, line) in text.split(separator: 10, omittingEmptySubsequences: false)
            .prefix(500).enumerated()
        {
            for column in [1, line.count + 1] {
                let place = SourceMap.Place(line: number + 1, column: column)
                let found = made.text.map.location(place, length: nil)
                let last = (lines[found.path] ?? 0) + (found.path == "p.md" ? 3 : 0)
                expect((1...last).contains(found.line), "\(found) of \(last) lines")
                let origin = made.text.map.origin(of: place).path
                expect(origin == "p.md" || made.files.isRead.contains(origin), "\(origin) was read")
            }
        }
    }
}
