import Fixtures
import Foundation
import Testing

@testable import SiteGenerator

/// A site in a folder of its own, which is removed with the last reference to it.
final class TemporarySite: Sendable {
    private let temporary: TemporaryFolder

    /// - Parameter files: texts by path, below the folder of `sitegen.toml`.
    init(_ files: [String: String] = [:]) throws { temporary = try TemporaryFolder(files) }

    var folder: URL { temporary.url }

    func write(_ path: String, _ text: String) throws { try temporary.write(text, path) }

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
