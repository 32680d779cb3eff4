import Foundation
import Testing

@testable import SiteGenerator

/// A site in a folder of its own, which is removed with the last reference to it.
final class TemporarySite: Sendable {
    let folder: URL

    /// - Parameter files: texts by path, below the folder of `sitegen.toml`.
    init(_ files: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "site-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, text) in files { try write(path, text) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ path: String, _ text: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    /// Builds the site without git; by default on 2026-11-22, noon.
    func build(_ change: (inout BuildOptions) -> Void = { _ in }) async -> SiteBuild.Outcome {
        var options = BuildOptions(now: 1_795_348_800)
        options.asksGit = false
        change(&options)
        return await SiteBuild.run(configurationPath: folder.path + "/sitegen.toml", options)
    }

    /// Builds the site, which has to succeed.
    ///
    /// - Returns: the folder of the release.
    func release() async throws -> URL {
        let outcome = await build()
        try #require(outcome.release != nil, "\(outcome.diagnostics)")
        return current
    }

    var current: URL { folder.appending(path: "public/current").resolvingSymlinksInPath() }
}
