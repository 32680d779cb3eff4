import Diagnostics
import Jansson
import POSIX
import Site
import SourceFolder

/// Creates pages for `sitegen new`.
public enum NewPage {
    /// Writes a page that has only a title.
    ///
    /// - Parameters:
    ///   - path: relative to the source folder, whose name may precede it; `.md` is added.
    ///   - title: `nil` for a title made from the file's name.
    ///   - configurationPath: `nil` for the usual file, which need not exist.
    /// - Returns: the file that was written.
    public static func make(
        _ path: String,
        title: String?,
        configurationPath: String?
    ) throws(CommandError) -> String {
        let usual = SiteFolders.usualFile
        let isConfigured = configurationPath != nil || (try? FileStatus(of: usual)) != nil
        let (configuration, folder) =
            isConfigured
            ? try SiteConfiguration.read(configurationPath ?? usual) : (SiteConfiguration(), "")
        let named = configuration.source ?? SiteFolders.usualSource(in: folder)
        if !isConfigured, (try? FileStatus(of: named)) == nil {
            throw CommandError(
                "there is no folder 'site' or 'docs'; 'sitegen init FOLDER' creates a site"
            )
        }
        let source = folder + named
        let file = try filePath(path, in: source, named: named)
        let url = SitePathName.url(ofPage: file)
        if let mistake = SitePathName.mistake(url) { throw CommandError("'\(path)': \(mistake)") }
        let tree = SourceTree(listing: source, displayFolder: source)
        let rival = tree.files.first { other in
            other.isMarkdown
                && SitePathName.url(ofPage: other.path).lowercased() == url.lowercased()
        }
        if let rival {
            throw CommandError("the page '\(url)' already exists: '\(rival.displayPath)'")
        }
        let name = url.split(separator: "/").last.map(String.init)
        let title = title ?? name.map(Page.humanized) ?? configuration.title
        try write("---\ntitle: \(yaml(title))\n---\n\n", to: file, below: source)
        return "\(source)/\(file)"
    }

    /// The path below the source folder.
    private static func filePath(
        _ path: String,
        in source: String,
        named name: String
    ) throws(CommandError) -> String {
        // A shell may have completed the path from the folder of `sitegen.toml`, or from another
        // folder.
        var rest = path[...]
        for prefix in [source + "/", name + "/"] where rest.hasPrefix(prefix) {
            rest = rest.dropFirst(prefix.count)
            break
        }
        var segments = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard !segments.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw CommandError("'\(path)' is not a path below the source folder '\(source)'")
        }
        if let hidden = segments.first(where: { $0.hasPrefix(".") }) {
            throw CommandError("'\(hidden)' begins with '.'; such files are ignored")
        }
        let last = segments.removeLast()
        return (segments + [SitePathName.isPage(last) ? last : last + ".md"]).joined(separator: "/")
    }

    private static func write(
        _ text: String,
        to file: String,
        below source: String
    ) throws(CommandError) {
        do {
            var folder = source
            for segment in file.split(separator: "/").dropLast() {
                folder += "/\(segment)"
                let status = try? FileStatus(of: folder, followingLinks: false)
                // The link may point outside the source folder, and builds do not follow links.
                if status?.kind == .symbolicLink {
                    throw CommandError("'\(folder)' is a symbolic link; links are not followed")
                }
            }
            try Folder.create(folder)
            try File.create(Array(text.utf8), at: "\(source)/\(file)")
        } catch let refusal as CommandError {
            throw refusal
        } catch {
            throw CommandError("\(error)", isDisk: true)
        }
    }

    /// A string as a YAML scalar: unquoted if it consists of plain words, otherwise as a JSON
    /// string, which YAML 1.2 accepts.
    private static func yaml(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (97...122).contains(byte | 0x20) || (48...57).contains(byte) || byte == 32
        }
        let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        let isWord = text.utf8.first.map { (97...122).contains($0 | 0x20) } ?? false
        return isPlain && isWord && !text.hasSuffix(" ") && !words.contains(text.lowercased())
            ? text : JSON.string(text).text
    }
}
