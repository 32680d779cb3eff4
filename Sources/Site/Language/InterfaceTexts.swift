import Diagnostics
import Jansson
import Languages
import POSIX
import Synchronization

/// What the interface says in the site's language: sitegen's pages, the theme's scripts and the
/// pages of siteauth.
///
/// A text is named by its English words, so a text that no file has stays English.
public struct InterfaceTexts: Sendable {
    private var texts: [String: LanguageFile.Text] = [:]
    private var dateFormat = Pattern("{{year}}-{{month}}-{{day}}")
    private var months: [String] = []
    /// The language of the texts: a tag whose file exists, `en` if none does.
    package private(set) var language = "en"

    /// English without changes of a site.
    package static let english = InterfaceTexts(ofLanguage: "en")

    /// The texts of sitegen alone.
    package init(ofLanguage tag: String) {
        for name in Self.names(of: tag).reversed() {
            if let bytes = LanguageFiles.bytes(name) {
                add(LanguageFile(bytes, path: "\(name).toml"), name)
            }
        }
    }

    /// The texts of sitegen alone, read once: many pages may have the language.
    package static func known(_ tag: String) -> InterfaceTexts {
        let name = tag.lowercased()
        if let texts = builtIn.withLock({ $0[name] }) { return texts }
        let texts = InterfaceTexts(ofLanguage: tag)
        builtIn.withLock { $0[name] = texts }
        return texts
    }

    private static let builtIn = Mutex<[String: InterfaceTexts]>([:])

    /// The texts of sitegen, with those of a site above them.
    ///
    /// - Parameter templates: the site's templates folder, whose folder `languages` may have files.
    package static func read(
        _ tag: String,
        templates: String?
    ) -> (texts: InterfaceTexts, diagnostics: [Diagnostic]) {
        var texts = tag == "en" ? english : InterfaceTexts(ofLanguage: tag)
        var diagnostics: [Diagnostic] = []
        guard let templates else { return (texts, []) }
        for name in names(of: tag).reversed() {
            let path = "\(templates)/\(folder)\(name).toml"
            do throws(SystemError) {
                let file = LanguageFile(try File.read(path), path: path)
                diagnostics += file.diagnostics
                texts.add(file, name)
            } catch {
                if error.isMissingFile { continue }
                diagnostics.append(Diagnostic(.error, error.reason, at: SourceLocation(path)))
            }
        }
        return (texts, diagnostics)
    }

    /// The folder of a site's own files, in its templates folder.
    package static let folder = "languages/"

    /// The tags of the files for a language, from the best to English (RFC 4647, section 3.4,
    /// "Lookup").
    package static func names(of tag: String) -> [String] {
        var subtags = tag.split(separator: "-").map(String.init)
        let language = subtags[0].lowercased()
        subtags[0] = language
        var names: [String] = []
        while !subtags.isEmpty {
            names.append(Self.usual(subtags))
            subtags.removeLast()
        }
        if language == "zh" { names.append(isTraditional(tag) ? "zh-Hant" : "zh-Hans") }
        if let other = sameAs[language] { names.append(other) }
        return names + (names.contains("en") ? [] : ["en"])
    }

    /// Other tags of a language, or of one that its readers understand (CLDR, "Language Matching").
    private static let sameAs = ["no": "nb", "nn": "nb", "iw": "he", "in": "id", "sr": "sr-Latn"]

    private static func isTraditional(_ tag: String) -> Bool {
        let subtags = tag.lowercased().split(separator: "-")
        return subtags.contains("hant")
            || !subtags.contains("hans") && subtags.contains { ["tw", "hk", "mo"].contains($0) }
    }

    /// The usual case: `zh-Hant`, `pt-BR` (RFC 5646, section 2.1.1).
    private static func usual(_ subtags: [String]) -> String {
        let parts = subtags.enumerated().map { index, part in
            if index == 0 { return part }
            switch part.utf8.count {
            case 2: return part.uppercased()
            case 4: return part.prefix(1).uppercased() + part.dropFirst().lowercased()
            default: return part.lowercased()
            }
        }
        return parts.joined(separator: "-")
    }

    private mutating func add(_ file: LanguageFile, _ name: String) {
        texts.merge(file.texts) { _, new in new }
        dateFormat = file.dateFormat.map(Pattern.init) ?? dateFormat
        months = file.months ?? months
        language = name
    }

    /// A text, with `{{name}}` in place of its values.
    package subscript(_ english: String) -> String {
        switch texts[english] {
        case .text(let text): text
        case .plural(let forms): forms["other"] ?? english
        case nil: english
        }
    }

    /// A text as HTML, which may stand in an attribute, too.
    package func html(_ english: String) -> String {
        var html: [UInt8] = []
        html.append(escaped: self[english])
        return String(decoding: html, as: UTF8.self)
    }

    /// A text with one value.
    package func text(_ english: String, _ name: String, _ value: String) -> String {
        Pattern(self[english]).filled([name: value])
    }

    /// A day as people write it in this language: `5 November 2026` for `2026-11-05`.
    package func date(_ day: String) -> String {
        let parts = day.utf8.split(separator: UInt8(ascii: "-")).compactMap { Int(Substring($0)) }
        guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return day }
        let values = [
            "day": "\(parts[2])", "month": months[parts[1] - 1], "year": "\(parts[0])",
        ]
        return dateFormat.filled(values)
    }

    /// How a day is written, for scripts and siteauth: without months they write it as `2026-11-05`.
    var dates: JSON {
        ["format": .string(dateFormat.text), "months": .array(months.map { .string($0) })]
    }

    /// A text with `{{name}}` in place of its values, taken apart once.
    private struct Pattern {
        let text: String
        private let start: String
        private let parts: [(name: String, after: String)]

        init(_ text: String) {
            let pieces = text.split(separator: "{{", omittingEmptySubsequences: false)
            self.text = text
            start = String(pieces[0])
            parts = pieces.dropFirst().map { piece in
                let ends = piece.split(
                    separator: "}}",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                return (String(ends[0]), ends.count > 1 ? String(ends[1]) : "")
            }
        }

        func filled(_ values: [String: String]) -> String {
            parts.reduce(into: start) { $0 += (values[$1.name] ?? "") + $1.after }
        }
    }

    /// The texts of a list, for scripts and siteauth: an object with the English texts as names.
    ///
    /// - Parameter names: `nil` for all.
    package func json(_ names: Set<String>? = nil) -> JSON {
        let members = texts.compactMap { english, text -> (String, JSON)? in
            guard names?.contains(english) ?? true, text != .text(english) else { return nil }
            switch text {
            case .text(let text): return (english, .string(text))
            case .plural(let forms): return (english, Self.object(forms.map { ($0, .string($1)) }))
            }
        }
        return Self.object(members)
    }

    private static func object(_ members: [(name: String, value: JSON)]) -> JSON {
        var object = JSON.Members()
        for (name, value) in members.sorted(by: { $0.name < $1.name }) { object[name] = value }
        return .object(object)
    }
}
