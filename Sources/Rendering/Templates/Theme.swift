import Bytes
import Diagnostics
import FoundationEssentials
import Jansson
import OpenSSL
import POSIX
import Site
import SourceFolder

/// The style sheets, scripts and images of a site.
///
/// They are served to everybody without signing in, so they must not contain anything from pages.
/// Each file name contains the digest of the file, so browsers can cache it for ever. A folder with
/// the name of a file, such as `site.css/`, becomes one file made of the files in it.
package struct Theme: Sendable {
    package static let folder = "theme/"

    package private(set) var files: [OutputFile] = []
    /// URLs by file name, with dashes in place of dots.
    ///
    /// `favicon` and `logo` are the images that `sitegen.toml` names.
    package private(set) var urls: [String: String] = [:]
    /// The values of `integrity` attributes, by the same names (Subresource Integrity, section
    /// 3.5).
    private(set) var integrity: [String: String] = [:]
    package private(set) var diagnostics: [Diagnostic] = []

    private let parts: [String: [TemplateSources.File]]
    private let accents: AccentColours?
    private let texts: InterfaceTexts
    /// URLs by file name.
    private var published: [String: String] = [:]

    /// - Parameter source: the files of the source folder, which may contain the images.
    init(
        _ sources: TemplateSources,
        _ settings: ThemeSettings = ThemeSettings(),
        _ texts: InterfaceTexts = .english,
        source: [SourceTree.File] = []
    ) {
        parts = Self.parts(sources)
        self.texts = texts
        accents = settings.accent.map { AccentColours($0, dark: settings.accentDark) }
        for name in parts.keys.sorted() { publish(name, from: []) }
        urls["favicon"] = urls["favicon-svg"]
        for picture in [settings.logo, settings.favicon].compactMap(\.self) {
            if let url = publish(picture, source) { urls[picture.key] = url }
        }
    }

    /// The parts of each file by its name; those of a folder such as `site.js/` are sorted by name.
    ///
    /// A site's own file `site.css` replaces the whole folder.
    private static func parts(_ sources: TemplateSources) -> [String: [TemplateSources.File]] {
        var files: [String: [TemplateSources.File]] = [:]
        var parts: [String: [TemplateSources.File]] = [:]
        for file in sources.files where file.path.hasPrefix(folder) {
            let name = String(file.path.dropFirst(folder.count))
            let names = name.split(separator: "/").map(String.init)
            if names.count == 2, [".css", ".js"].contains(where: names[0].hasSuffix) {
                parts[names[0], default: []].append(file)
            } else {
                files[name] = [file]
            }
        }
        return files.merging(parts) { whole, _ in whole }
    }

    /// - Parameter names: the style sheets that refer to this file, to detect cycles.
    @discardableResult
    private mutating func publish(_ name: String, from names: [String]) -> String? {
        if let url = published[name] { return url }
        guard let parts = parts[name] else { return nil }
        var bytes: [UInt8] = []
        if name == "site.js" { bytes += scriptTexts.utf8 }
        for part in parts {
            if name.hasSuffix(".css") {
                bytes += CompactText.style(resolved(part, of: name, names + [name]))
            } else {
                bytes += name.hasSuffix(".js") ? CompactText.script(part.bytes) : part.bytes
                // A comment in a last line without its end would go on in the next part.
                if parts.count > 1, bytes.last != 10 { bytes.append(10) }
            }
        }
        if name == "site.css", let accents { bytes += accents.styleSheet.utf8 }
        let url = add(name, bytes)
        let key = String(name.map { $0 == "." ? "-" : $0 })
        published[name] = url
        urls[key] = url
        integrity[key] = "sha384-\(Data(Digest.sha384(bytes)).base64EncodedString())"
        return url
    }

    /// The constant `texts` of the scripts: what they show, in the site's language.
    ///
    /// A script calls `text("English words")`; other texts are left out, because every reader loads
    /// this file.
    private var scriptTexts: String {
        let scripts = parts.filter { $0.key.hasSuffix(".js") }.values.flatMap(\.self)
        var names: Set<String> = []
        for script in scripts {
            let bytes = script.bytes.span
            let quote = UInt8(ascii: "\"")
            var start = bytes.position(of: quote) + 1
            while start < bytes.count {
                let end = bytes.position(of: quote, from: start)
                if bytes.has("text(\"", at: start - 6) {
                    names.insert(String(decoding: script.bytes[start..<end], as: UTF8.self))
                }
                start = end + 1
            }
        }
        if names.isEmpty { return "" }
        return "\"use strict\";\nconst texts = \(texts.json(names).text);\n"
    }

    private mutating func publish(
        _ picture: ThemeSettings.Picture,
        _ source: [SourceTree.File]
    ) -> String? {
        if let url = published[picture.path] { return url }
        guard let file = source.first(where: { $0.path == picture.path }) else {
            let message =
                "'\(picture.key)' is '\(picture.path)'; there is no such file in the source folder"
                + " or in the theme"
            diagnostics.append(Diagnostic(.error, message, at: picture.location))
            return nil
        }
        do {
            let name = picture.path.split(separator: "/").last.map(String.init) ?? picture.path
            return add(name, try file.read())
        } catch {
            diagnostics.append(
                Diagnostic(.error, error.reason, at: SourceLocation(file.displayPath))
            )
            return nil
        }
    }

    /// - Returns: the file's URL.
    private mutating func add(_ name: String, _ bytes: [UInt8]) -> String {
        let fingerprinted = Self.fingerprinted(name, bytes)
        let path = "theme/\(fingerprinted)"
        if !files.contains(where: { $0.path == path }) {
            files.append(.init(path: path, content: .bytes(bytes)))
        }
        return "/_theme/\(SitePathName.encode(fingerprinted))"
    }

    /// A style sheet in which references to other files of the theme contain their digests.
    private mutating func resolved(
        _ file: TemplateSources.File,
        of name: String,
        _ names: [String]
    ) -> [UInt8] {
        let css = file.bytes
        var bytes: [UInt8] = []
        var written = 0
        for reference in StyleSheetReference.all(in: css) {
            let path = reference.address.prefix { $0 != "#" && $0 != "?" }
            // An absolute URL, or a fragment of the page.
            guard !path.isEmpty, path.first != "/", !path.contains(":") else { continue }
            let target = Self.target(path, from: name)
            guard let target, !names.contains(target), let url = publish(target, from: names) else {
                let line = css[..<reference.range.lowerBound].count { $0 == 10 } + 1
                let start = css[..<reference.range.lowerBound].lastIndex(of: 10).map { $0 + 1 } ?? 0
                let column = reference.range.lowerBound - start + 1
                let location = SourceLocation(file.displayPath, line: line, column: column)
                let isCircle = target.map(names.contains) == true
                let message =
                    isCircle
                    ? "'\(reference.address)' is a circular reference"
                    : "'\(reference.address)' is not a file of the theme"
                diagnostics.append(Diagnostic(.error, message, at: location))
                continue
            }
            bytes += css[written..<reference.range.lowerBound]
            bytes += url.utf8
            bytes += reference.address.dropFirst(path.count).utf8
            written = reference.range.upperBound
        }
        return bytes + css[written...]
    }

    /// The file of a relative URL; `nil` if it is outside the theme.
    private static func target(_ path: some StringProtocol, from name: String) -> String? {
        var segments = name.split(separator: "/").dropLast().map(String.init)
        for segment in path.split(separator: "/") {
            switch segment {
            case ".": continue
            case "..": if segments.popLast() == nil { return nil }
            default: segments.append(String(segment))
            }
        }
        return SitePathName.decode(Substring(segments.joined(separator: "/")))
    }

    /// Whether the name of a theme file in a release is the one that ``fingerprinted(_:_:)`` gives to
    /// a file of this content.
    package static func isFingerprinted(_ path: String, _ bytes: [UInt8]) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        let digest = Digest.hexadecimal(Digest.sha256(bytes).prefix(8))
        return name.hasSuffix(".\(digest)")
            || name.split(separator: ".").dropLast().last == digest[...]
    }

    /// The file name with a digest: `site.1f0c9a….css` for `site.css`.
    private static func fingerprinted(_ name: String, _ bytes: [UInt8]) -> String {
        let digest = Digest.hexadecimal(Digest.sha256(bytes).prefix(8))
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else {
            return "\(name).\(digest)"
        }
        return "\(name[..<dot]).\(digest)\(name[dot...])"
    }
}
