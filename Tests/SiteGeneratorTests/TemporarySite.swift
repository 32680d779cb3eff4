import Fixtures
import Foundation
import Testing

@testable import Site
@testable import SiteGenerator

/// A site in a folder of its own, which is removed with the last reference to it.
final class TemporarySite: Sendable {
    private let temporary: TemporaryFolder

    /// - Parameters:
    ///   - files: texts by path, below the folder of `sitegen.toml`.
    ///   - hasBuiltInTheme: otherwise its styles and scripts are empty, because to compact them takes
    ///     most of the time in which a small site is built.
    init(_ files: [String: String] = [:], hasBuiltInTheme: Bool = false) throws {
        temporary = try TemporaryFolder(files)
        if hasBuiltInTheme { return }
        for name in ["card.js", "search.css", "search.js", "site.css", "site.js"] {
            let path = "templates/theme/\(name)"
            if !files.keys.contains(where: { $0.hasPrefix(path) }) { try temporary.write("", path) }
        }
    }

    var folder: URL { temporary.url }

    func write(_ path: String, _ text: String) throws { try temporary.write(text, path) }

    /// Builds the site without git; by default on 2026-11-22, noon.
    func build(_ change: (inout BuildOptions) -> Void = { _ in }) async -> BuildOutcome {
        var options = BuildOptions(now: 1_795_348_800)
        options.asksGit = false
        change(&options)
        return await SiteBuild.run(configurationPath: folder.path + "/sitegen.toml", options)
    }

    /// Builds the site, which has to succeed.
    ///
    /// - Returns: the folder of the release.
    @discardableResult
    func release() async throws -> URL {
        let outcome = await build()
        try #require(outcome.release != nil, "\(outcome.diagnostics)")
        return current
    }

    /// Builds a release that differs from all before in one file.
    @discardableResult
    func newRelease() async throws -> URL {
        try write("site/new.txt", "\(UInt64.random(in: 0...(.max)))")
        return try await release()
    }

    var current: URL { folder.appending(path: "public/current").resolvingSymlinksInPath() }

    /// Everything below the current release of an output folder, by path.
    func files(_ output: String) throws -> [String: Data] {
        let root = folder.appending(path: "\(output)/current").resolvingSymlinksInPath()
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
            let file = root.appending(path: path)
            if try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                files[path] = try Data(contentsOf: file)
            }
        }
        return files
    }

    /// The files of the current release that authors wrote or that are made of theirs.
    func published() throws -> Set<String> {
        let site = current.appending(path: "site")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: site.path)
        return Set(paths.filter { !$0.hasPrefix("_") && $0.contains(".") })
    }
}

extension BuildOutcome {
    var rules: [String] { diagnostics.compactMap(\.rule) }
}
